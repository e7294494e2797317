import type { Database } from './open-database.ts';

/** The same database by another way to its statements and transactions; `prisma` is still made when it is asked for. */
export function databaseBy(database: Database, way: Pick<Database, 'query' | 'transaction'>): Database {
  const { pool, sharing, close } = database;
  return {
    ...{ pool, sharing, close, ...way },
    get prisma() {
      return database.prisma;
    },
  };
}
