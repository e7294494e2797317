import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';

/** Which teams take accounts over? */
export const teamsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/teams',
  component: lazyRouteComponent(() => import('./teams-page.tsx'), 'TeamsPage'),
});
