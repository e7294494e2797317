import type { Database } from '@causeway/db';
import type pg from 'pg';

/** A column of a statement's answer, as PostgreSQL describes it. */
export interface DescribedColumn {
  name: string;
  dataTypeID: number;
  /** Of the table's column that it is; 0 where it is computed. */
  tableID: number;
  columnID: number;
}

interface PreparingConnection {
  parse(query: { name: string; text: string; types: number[] }): void;
  describe(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/** Parses a text and asks what its answer would be, as any client may, and runs nothing. pg takes it for a query. */
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

/** The columns of what a SQL text would answer with, none where it answers with no rows. Throws what PostgreSQL says. */
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
