import type { Database } from './open-database.ts';
import type { Queryable } from './run-transaction.ts';
import { statement } from './statement.ts';

const SAVEPOINT = statement('savepoint', 'SAVEPOINT inner_transaction');
const RELEASE = statement('release-savepoint', 'RELEASE SAVEPOINT inner_transaction');
const ROLL_BACK = statement('roll-back-to-savepoint', 'ROLLBACK TO SAVEPOINT inner_transaction');

/**
 * The database as seen from within a transaction: `query` runs in it, and a transaction inside it is a savepoint, so
 * that what it undoes is its own work alone. `prisma` and `pool` stay outside.
 */
export function databaseWithin(database: Database, transaction: Queryable): Database {
  return {
    ...database,
    query: transaction.query,
    async transaction(work) {
      await transaction.query(SAVEPOINT, []);
      try {
        const value = await work(transaction);
        await transaction.query(RELEASE, []);
        return value;
      } catch (error) {
        await transaction.query(ROLL_BACK, []);
        throw error;
      }
    },
  };
}
