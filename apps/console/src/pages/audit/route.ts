import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';
import { textParameters } from '../../app/text-parameters.ts';

/**
 * Who did what, and when? Without a subject: what the service team did, with all keys or one (`key`), before the event
 * `before`. Otherwise the trail of the subject, which `id` or `code` and `number` name, after the event `after`.
 */
export const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  validateSearch: textParameters('subject', 'id', 'code', 'number', 'key', 'before', 'after'),
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
});
