import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';
import { textParameters } from '../../app/text-parameters.ts';

/** Which jobs run, and which wait? */
export const jobsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/jobs',
  validateSearch: textParameters('supplier', 'state', 'kind'),
  component: lazyRouteComponent(() => import('./jobs-page.tsx'), 'JobsPage'),
});

/** How fast is it, and may I slow it? */
export const jobRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/jobs/$id',
  component: lazyRouteComponent(() => import('./job-page.tsx'), 'JobPage'),
});
