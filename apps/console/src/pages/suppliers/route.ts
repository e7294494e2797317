import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';
import { textParameters } from '../../app/text-parameters.ts';

/** Which settings does each supplier have? */
export const suppliersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/suppliers',
  validateSearch: textParameters('organisation', 'status'),
  component: lazyRouteComponent(() => import('./suppliers-page.tsx'), 'SuppliersPage'),
});

/** How is this supplier set up? */
export const supplierRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/suppliers/$code',
  component: lazyRouteComponent(() => import('./supplier-page.tsx'), 'SupplierPage'),
});
