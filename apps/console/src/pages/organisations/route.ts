import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';

/** Who moves accounts here? */
export const organisationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organisations',
  component: lazyRouteComponent(() => import('./organisations-page.tsx'), 'OrganisationsPage'),
});
