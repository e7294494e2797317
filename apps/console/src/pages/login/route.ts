import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route.tsx';

/**
 * Who are you? `to` is where the way back leads: an address of the console. Any other is overwritten, since what a route
 * leaves out is taken from the address as it stands.
 */
export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: ({ to }: Record<string, unknown>): { to?: string | undefined } => ({
    to: isOurs(to) ? to : undefined,
  }),
  component: lazyRouteComponent(() => import('./login-page.tsx'), 'LoginPage'),
});

/** An address of this console, also once its dots are resolved: never another host or page. */
function isOurs(to: unknown): to is string {
  const isPath = typeof to === 'string' && to.startsWith('/console/');
  return isPath && new URL(to, location.origin).pathname.startsWith('/console/');
}
