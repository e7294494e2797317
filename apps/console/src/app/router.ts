import { createRouter } from '@tanstack/react-router';
import { accountRoute } from '../pages/account/route.ts';
import { accountsRoute } from '../pages/accounts/route.ts';
import { auditRoute } from '../pages/audit/route.ts';
import { emailsRoute, suppressionsRoute, templateRoute, templatesRoute } from '../pages/emails/route.ts';
import { jobRoute, jobsRoute } from '../pages/jobs/route.ts';
import { keysRoute } from '../pages/keys/route.ts';
import { loginRoute } from '../pages/login/route.ts';
import { migrationRoute } from '../pages/migration/route.ts';
import { organisationsRoute } from '../pages/organisations/route.ts';
import { overviewRoute } from '../pages/overview/route.ts';
import { problemRoute, problemsRoute } from '../pages/problems/route.ts';
import { reconciliationRoute, reconciliationsRoute } from '../pages/reconciliations/route.ts';
import { supplierRoute, suppliersRoute } from '../pages/suppliers/route.ts';
import { teamsRoute } from '../pages/teams/route.ts';
import { webhookRoute, webhooksRoute } from '../pages/webhooks/route.ts';
import { elsewhereRoute, rootRoute, shellRoute } from './root-route.tsx';

/** Every page: the table of contents. */
const routeTree = rootRoute.addChildren([
  loginRoute,
  shellRoute.addChildren([
    overviewRoute,
    migrationRoute,
    problemRoute,
    accountsRoute,
    accountRoute,
    jobsRoute,
    jobRoute,
    reconciliationsRoute,
    reconciliationRoute,
    problemsRoute,
    organisationsRoute,
    keysRoute,
    suppliersRoute,
    supplierRoute,
    emailsRoute,
    templatesRoute,
    templateRoute,
    suppressionsRoute,
    webhooksRoute,
    webhookRoute,
    teamsRoute,
    auditRoute,
    elsewhereRoute,
  ]),
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
