import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { isLoggedIn } from '../session/session.ts';
import { ErrorPage } from './error-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { Shell } from './shell.tsx';

export const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
});

/** The parent of every page for those who are logged in; others are led to the login page and back. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad({ location }) {
    if (!isLoggedIn()) throw redirect({ to: '/login', search: { to: location.publicHref } });
  },
  component: Shell,
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
});

/** Any other address, for those who are logged in. */
export const elsewhereRoute = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFoundPage });
