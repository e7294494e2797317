import { createRootRoute, createRoute, type ErrorComponentProps, Link, Outlet, redirect } from '@tanstack/react-router';
import { Button } from '../components/button.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { refusalText } from '../data/refusal-text.ts';
import { isLoggedIn } from '../session/session.ts';
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

/** In place of a page that could not be shown: never a blank one. */
function ErrorPage({ error, reset }: ErrorComponentProps) {
  return (
    <>
      <PageHeader title="This page could not be shown" question={refusalText(error).sentence} />
      <Button onPress={reset}>Try again</Button>
    </>
  );
}

/** At an address that no page has. */
function NotFoundPage() {
  return (
    <>
      <PageHeader
        title="There is no page at this address"
        question="It may have been typed wrong, or belong to another version."
      />
      <Link to="/">Go to the overview</Link>
    </>
  );
}
