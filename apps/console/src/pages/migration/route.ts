import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';

/** Can I sign the cutover? */
export const migrationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/migrations/$code',
  component: lazyRouteComponent(() => import('./migration-page.tsx'), 'MigrationPage'),
});
