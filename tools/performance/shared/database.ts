import pg from 'pg';

const { DATABASE_URL = '', DATABASE_POOL_SIZE = '20' } = process.env;

pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value);
export const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  options: '-c TimeZone=UTC',
  max: Number(DATABASE_POOL_SIZE),
  statement_timeout: 30_000,
  lock_timeout: 15_000,
  idle_in_transaction_session_timeout: 10_000,
});

export type Fields = Record<string, unknown>;
export type Query = <Row extends Fields>(name: string, sql: string, values: unknown[]) => Promise<Row[]>;
const queryOn =
  (client: pg.Pool | pg.PoolClient): Query =>
  async <Row extends Fields>(name: string, sql: string, values: unknown[]) =>
    (await client.query<Row>({ name, text: sql, values })).rows;
export const read = queryOn(pool);

export async function inTransaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(queryOn(client));
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    const failed = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    client.release(failed);
    throw error;
  }
}
