import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';

/** Who did what, and when? */
export const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
});
