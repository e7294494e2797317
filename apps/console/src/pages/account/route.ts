import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';
import { textParameters } from '../../app/text-parameters.ts';

/** What happened to it, and who did it? */
export const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/accounts/$code/$number',
  validateSearch: ({ show, ...texts }: Record<string, unknown>): AccountSearch => ({
    ...((show === 'accepted' || show === 'refused') && { show }),
    ...textParameters('find')(texts),
  }),
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
});

import type { AccountSearch } from './search.ts';
