import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';

/** Where is this customer? */
export const accountsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/accounts',
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } => (typeof q === 'string' ? { q } : {}),
  component: lazyRouteComponent(() => import('./accounts-page.tsx'), 'AccountsPage'),
});
