import type { Database } from './open-database.ts';
import type { Queryable } from './run-transaction.ts';
import { sql } from './sql.ts';

const SAVEPOINT = sql('savepoint')`SAVEPOINT inner_transaction`;
const RELEASE = sql('release-savepoint')`RELEASE SAVEPOINT inner_transaction`;
const ROLL_BACK = sql('roll-back-to-savepoint')`ROLLBACK TO SAVEPOINT inner_transaction`;

/**
 * The database as seen from within a transaction: `query` runs in it, and a transaction inside it is a savepoint, so
 * that it rolls back only its own work. `pool` stays outside.
 */
export function databaseWithin(database: Database, transaction: Queryable): Database {
  return {
    ...database,
    query: transaction.query,
    async transaction(work) {
      await transaction.query(SAVEPOINT, {});
      try {
        const value = await work(transaction);
        await transaction.query(RELEASE, {});
        return value;
      } catch (error) {
        await transaction.query(ROLL_BACK, {});
        // It is still there, and would hide the one around it, which has the same name.
        await transaction.query(RELEASE, {});
        throw error;
      }
    },
  };
}
