import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/root-route.tsx';
import { isPeriod, type Period } from './period.ts';

interface MigrationSearch {
  /** What the chart shows: an hour unless it says otherwise. */
  period?: Period;
  /** The chart's figures as a table. */
  table?: true;
}

/** Can I sign the cutover? */
export const migrationRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/migrations/$code',
  validateSearch: ({ period, table }: Record<string, unknown>): MigrationSearch => ({
    ...(isPeriod(period) && { period }),
    ...(table === true && { table }),
  }),
  component: lazyRouteComponent(() => import('./migration-page.tsx'), 'MigrationPage'),
});
