import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from './root-route.tsx';
import { textParameters } from './text-parameters.ts';

// The pages whose search parameters are texts, if they have any. The others have a route of their own.

/** Is anything in trouble? */
export const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
});

/** Which jobs run, and which wait? */
export const jobsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/jobs',
  validateSearch: textParameters('supplier', 'state', 'kind'),
  component: lazyRouteComponent(() => import('../pages/jobs/jobs-page.tsx'), 'JobsPage'),
});

/** How fast is it, and may I slow it? */
export const jobRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/jobs/$id',
  component: lazyRouteComponent(() => import('../pages/jobs/job-page.tsx'), 'JobPage'),
});

/** Which books were compared? */
export const reconciliationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reconciliations',
  validateSearch: textParameters('supplier', 'state', 'verdict'),
  component: lazyRouteComponent(
    () => import('../pages/reconciliations/reconciliations-page.tsx'),
    'ReconciliationsPage',
  ),
});

/** Is it all there, to the penny? */
export const reconciliationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reconciliations/$id',
  validateSearch: textParameters('kind', 'field'),
  component: lazyRouteComponent(() => import('../pages/reconciliations/reconciliation-page.tsx'), 'ReconciliationPage'),
});

/** Who moves accounts here? */
export const organisationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organisations',
  component: lazyRouteComponent(() => import('../pages/organisations/organisations-page.tsx'), 'OrganisationsPage'),
});

/** Who can log in, and with what? */
export const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  validateSearch: textParameters('organisation', 'works'),
  component: lazyRouteComponent(() => import('../pages/keys/keys-page.tsx'), 'KeysPage'),
});

/** Which settings does each supplier have? */
export const suppliersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/suppliers',
  validateSearch: textParameters('organisation', 'status'),
  component: lazyRouteComponent(() => import('../pages/suppliers/suppliers-page.tsx'), 'SuppliersPage'),
});

/** How is this supplier set up? */
export const supplierRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/suppliers/$code',
  component: lazyRouteComponent(() => import('../pages/suppliers/supplier-page.tsx'), 'SupplierPage'),
});

/** Did the customers of a supplier get their e-mails? */
export const emailsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/suppliers/$code/emails',
  validateSearch: textParameters('state', 'account'),
  component: lazyRouteComponent(() => import('../pages/emails/emails-page.tsx'), 'EmailsPage'),
});

/** What do the e-mails of a supplier say? */
export const templatesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/suppliers/$code/templates',
  component: lazyRouteComponent(() => import('../pages/emails/templates-page.tsx'), 'TemplatesPage'),
});

/** What does the e-mail in one language say? */
export const templateRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/suppliers/$code/templates/$language',
  validateSearch: textParameters('version'),
  component: lazyRouteComponent(() => import('../pages/emails/template-page.tsx'), 'TemplatePage'),
});

/** Which addresses get no e-mail of a supplier? */
export const suppressionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/suppliers/$code/suppressions',
  validateSearch: textParameters('address'),
  component: lazyRouteComponent(() => import('../pages/emails/suppressions-page.tsx'), 'SuppressionsPage'),
});

/** Where are the events of an organisation sent, and do they arrive? */
export const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organisations/$id/webhooks',
  component: lazyRouteComponent(() => import('../pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

/** What happened to the messages to one endpoint? */
export const webhookRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organisations/$id/webhooks/$endpoint',
  validateSearch: textParameters('state'),
  component: lazyRouteComponent(() => import('../pages/webhooks/webhook-page.tsx'), 'WebhookPage'),
});

/** Which teams take accounts over? */
export const teamsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/teams',
  component: lazyRouteComponent(() => import('../pages/teams/teams-page.tsx'), 'TeamsPage'),
});

/**
 * Who did what, and when? Without a subject: what the service team did, with all keys or one (`key`), before the event
 * `before`. Otherwise the trail of the subject, which `id` or `code` and `number` name, after the event `after`.
 */
export const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  validateSearch: textParameters('subject', 'id', 'code', 'number', 'key', 'before', 'after'),
  component: lazyRouteComponent(() => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
});
