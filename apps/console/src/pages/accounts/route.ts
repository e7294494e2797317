import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';
import { textParameters } from '../../app/text-parameters.ts';

const STATES = ['STAGED', 'FAILED', 'SKIPPED', 'COMPLETED'] as const;

export interface AccountsSearch {
  /** What is searched for. */
  q?: string | undefined;
  /** The import supplier. */
  code?: string | undefined;
  state?: (typeof STATES)[number] | undefined;
  /** Of created accounts. */
  complete?: 'yes' | 'no' | undefined;
}

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
