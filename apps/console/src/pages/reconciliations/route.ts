import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';
import { textParameters } from '../../app/text-parameters.ts';

/** Which books were compared? */
export const reconciliationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reconciliations',
  validateSearch: textParameters('supplier', 'state', 'verdict'),
  component: lazyRouteComponent(() => import('./reconciliations-page.tsx'), 'ReconciliationsPage'),
});

/** Is it all there, to the penny? */
export const reconciliationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reconciliations/$id',
  validateSearch: textParameters('kind', 'field'),
  component: lazyRouteComponent(() => import('./reconciliation-page.tsx'), 'ReconciliationPage'),
});
