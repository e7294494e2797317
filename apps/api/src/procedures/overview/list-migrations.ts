import { ListMigrationsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** How far each migration has come (behaviour 14.9). */
export const listMigrations = staffProcedure
  .output(ListMigrationsResponse)
  .query(({ ctx }) => domain.listMigrations(ctx));
