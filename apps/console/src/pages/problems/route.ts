import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';

/** What keeps accounts from being complete? */
export const problemsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/problems',
  validateSearch: ({ code }: Record<string, unknown>): { code?: string } =>
    typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {},
  component: lazyRouteComponent(() => import('./problems-page.tsx'), 'ProblemsPage'),
});

export interface ProblemSearch {
  /** The path of the field. */
  attr?: string;
  /** The requests succeeded, and the problem was reported only. */
  reported?: true;
}

/** What has to be fixed, and where? A problem is an operation, a code and the path of a field, if one is at fault. */
export const problemRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/migrations/$code/problems/$operation/$problem',
  validateSearch: ({ attr, reported }: Record<string, unknown>): ProblemSearch => ({
    ...(typeof attr === 'string' && { attr }),
    ...(reported === true && { reported }),
  }),
  component: lazyRouteComponent(() => import('./problem-page.tsx'), 'ProblemPage'),
});
