import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';

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
  validateSearch: ({ q, code, state, complete }: Record<string, unknown>): AccountsSearch => ({
    ...textOf('q', q),
    ...textOf('code', code),
    ...(isOneOf(STATES, state) && { state }),
    ...(isOneOf(['yes', 'no'] as const, complete) && { complete }),
  }),
  component: lazyRouteComponent(() => import('./accounts-page.tsx'), 'AccountsPage'),
});

/** The router reads a number that somebody typed into the address as one. */
function textOf<Name extends string>(name: Name, value: unknown): Partial<Record<Name, string>> {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return text === '' ? {} : ({ [name]: text } as Record<Name, string>);
}

function isOneOf<One extends string>(all: readonly One[], value: unknown): value is One {
  return all.some((one) => one === value);
}
