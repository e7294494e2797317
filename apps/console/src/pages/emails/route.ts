import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';
import { textParameters } from '../../app/text-parameters.ts';

/** Did the customers of a supplier get their e-mails? */
export const emailsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/suppliers/$code/emails',
  validateSearch: textParameters('state', 'account'),
  component: lazyRouteComponent(() => import('./emails-page.tsx'), 'EmailsPage'),
});

/** What do the e-mails of a supplier say? */
export const templatesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/suppliers/$code/templates',
  component: lazyRouteComponent(() => import('./templates-page.tsx'), 'TemplatesPage'),
});

/** What does the e-mail in one language say? */
export const templateRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/suppliers/$code/templates/$language',
  validateSearch: textParameters('version'),
  component: lazyRouteComponent(() => import('./template-page.tsx'), 'TemplatePage'),
});

/** Which addresses get no e-mail of a supplier? */
export const suppressionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/suppliers/$code/suppressions',
  validateSearch: textParameters('address'),
  component: lazyRouteComponent(() => import('./suppressions-page.tsx'), 'SuppressionsPage'),
});
