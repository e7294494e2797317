import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route.tsx';

/** Who are you? `to` is where the way back leads: an address of the console. */
export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: ({ to }: Record<string, unknown>): { to?: string } => (isOurs(to) ? { to } : {}),
  component: lazyRouteComponent(() => import('./login-page.tsx'), 'LoginPage'),
});

/** An address of this console: never another host. */
function isOurs(to: unknown): to is string {
  return typeof to === 'string' && /^\/console\//.test(to);
}
