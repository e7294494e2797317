import {
  ListMigrationsResponse,
  ListProgressRequest,
  ListProgressResponse,
  Readiness,
  ReadinessRequest,
} from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** How far the migrations are (behaviour 14.9, 24.2). */
export const overview = {
  /** How far each migration has come (behaviour 14.9). */
  migrations: staffProcedure.output(ListMigrationsResponse).query(({ ctx }) => domain.listMigrations(ctx)),

  /** How an import supplier's accounts have come along over a time (behaviour 14.9). */
  progress: staffProcedure
    .input(ListProgressRequest)
    .output(ListProgressResponse)
    .query(({ ctx, input }) => domain.listProgress(ctx, input)),

  /** Whether an import supplier's migration can be called complete (behaviour 24.2). */
  readiness: staffProcedure
    .input(ReadinessRequest)
    .output(Readiness)
    .query(({ ctx, input }) => domain.readReadiness(ctx, input)),
};
