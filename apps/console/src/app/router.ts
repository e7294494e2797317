import { createRouter } from '@tanstack/react-router';
import { accountRoute } from '../pages/account/route.ts';
import { accountsRoute } from '../pages/accounts/route.ts';
import { loginRoute } from '../pages/login/route.ts';
import { migrationRoute } from '../pages/migration/route.ts';
import { problemRoute, problemsRoute } from '../pages/problems/route.ts';
import * as plainRoutes from './plain-routes.ts';
import { elsewhereRoute, rootRoute, shellRoute } from './root-route.tsx';

/** Every page. */
const routeTree = rootRoute.addChildren([
  loginRoute,
  shellRoute.addChildren({
    ...plainRoutes,
    migrationRoute,
    problemRoute,
    accountsRoute,
    accountRoute,
    problemsRoute,
    elsewhereRoute,
  }),
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingMs: 400,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
