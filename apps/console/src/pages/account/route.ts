import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';

export interface AccountSearch {
  /** Only this part of the timeline. */
  show?: 'accepted' | 'refused';
  /** Only entries with this text. */
  find?: string;
}

/** What happened to it, and who did it? */
export const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/accounts/$code/$number',
  validateSearch: ({ show, find }: Record<string, unknown>): AccountSearch => ({
    ...((show === 'accepted' || show === 'refused') && { show }),
    ...((typeof find === 'string' || typeof find === 'number') && { find: String(find) }),
  }),
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
});
