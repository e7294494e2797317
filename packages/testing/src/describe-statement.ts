import type { Database } from '@causeway/db';
import type pg from 'pg';

/** A result column of a statement, as PostgreSQL describes it. */
export interface DescribedColumn {
  name: string;
  dataTypeID: number;
  /** The number of the table's column; 0 if the result column is computed. */
  tableID: number;
  columnID: number;
}

interface PreparingConnection {
  parse(query: { name: string; text: string; types: number[] }): void;
  describe(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/** Parses a statement and describes its result without running it. For pg it looks like a query. */
class Description {
  columns: DescribedColumn[] = [];
  readonly #text: string;
  readonly #done = Promise.withResolvers<void>();

  constructor(text: string) {
    this.#text = text;
  }

  submit(connection: unknown): void {
    const preparing = connection as PreparingConnection;
    preparing.parse({ name: '', text: this.#text, types: [] });
    preparing.describe({ type: 'S', name: '' });
    preparing.sync();
  }

  handleRowDescription({ fields }: { fields: DescribedColumn[] }): void {
    this.columns = fields;
  }

  handleError(error: Error): void {
    this.#done.reject(error);
  }

  handleReadyForQuery(): void {
    this.#done.resolve();
  }

  get done(): Promise<void> {
    return this.#done.promise;
  }
}

/** The result columns of an SQL statement; none if it returns no rows. Throws PostgreSQL's error. */
export async function describeStatement(database: Database, text: string): Promise<DescribedColumn[]> {
  const client: pg.PoolClient = await database.pool.connect();
  try {
    const description = client.query(new Description(text));
    await description.done;
    return description.columns;
  } finally {
    client.release();
  }
}
