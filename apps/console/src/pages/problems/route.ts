import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';

/** What keeps accounts from being complete? */
export const problemsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/problems',
  component: lazyRouteComponent(() => import('./problems-page.tsx'), 'ProblemsPage'),
});

/** What has to be fixed, and where? A problem is an operation, a code and the path of a field, if one is at fault. */
export const problemRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/migrations/$code/problems/$operation/$problem',
  validateSearch: ({ attr }: Record<string, unknown>): { attr?: string } => (typeof attr === 'string' ? { attr } : {}),
  component: lazyRouteComponent(() => import('./problem-page.tsx'), 'ProblemPage'),
});
