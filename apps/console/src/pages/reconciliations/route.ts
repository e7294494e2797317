import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';

/** Which books were compared? */
export const reconciliationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reconciliations',
  component: lazyRouteComponent(() => import('./reconciliations-page.tsx'), 'ReconciliationsPage'),
});

/** Is it all there, to the penny? */
export const reconciliationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reconciliations/$id',
  component: lazyRouteComponent(() => import('./reconciliation-page.tsx'), 'ReconciliationPage'),
});
