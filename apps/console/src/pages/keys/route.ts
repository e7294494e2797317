import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';

/** Who can log in, and with what? */
export const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
});
