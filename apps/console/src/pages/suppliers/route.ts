import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';

/** Which settings does each supplier have? */
export const suppliersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/suppliers',
  component: lazyRouteComponent(() => import('./suppliers-page.tsx'), 'SuppliersPage'),
});

/** How is this supplier set up? */
export const supplierRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/suppliers/$code',
  component: lazyRouteComponent(() => import('./supplier-page.tsx'), 'SupplierPage'),
});
