import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';
import { textParameters } from '../../app/text-parameters.ts';

/** Where are the events of an organisation sent, and do they arrive? */
export const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organisations/$id/webhooks',
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
});

/** What happened to the messages to one endpoint? */
export const webhookRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/organisations/$id/webhooks/$endpoint',
  validateSearch: textParameters('state'),
  component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
});
