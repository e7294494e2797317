import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';
import { textParameters } from '../../app/text-parameters.ts';

/** Who can log in, and with what? */
export const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  validateSearch: textParameters('organisation', 'works'),
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
});
