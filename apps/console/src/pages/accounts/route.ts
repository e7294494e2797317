import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';
import { textParameters } from '../../app/text-parameters.ts';
import { type AccountsSearch, STATES } from './search.ts';

/** Where is this customer? */
export const accountsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/accounts',
  validateSearch: ({ state, complete, ...texts }: Record<string, unknown>): AccountsSearch => ({
    ...textParameters('q', 'code')(texts),
    ...(isOneOf(STATES, state) && { state }),
    ...(isOneOf(['yes', 'no'] as const, complete) && { complete }),
  }),
  component: lazyRouteComponent(() => import('./accounts-page.tsx'), 'AccountsPage'),
});

function isOneOf<One extends string>(all: readonly One[], value: unknown): value is One {
  return all.some((one) => one === value);
}
