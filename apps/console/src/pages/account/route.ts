import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';

/** What happened to it, and who did it? */
export const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/accounts/$code/$number',
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
});
