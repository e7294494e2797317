import pg from 'pg';

/** A query's rows by COPY ... TO STDOUT, read and discarded. */
export interface CopyJob {
  databaseUrl: string;
  /** The text between the brackets of COPY (...). */
  query: string;
}

export interface CopyResult {
  bytes: number;
  milliseconds: number;
}

/** The pg internals that a COPY needs: pg passes each message of the connection to the active query. */
interface CopyConnection {
  query(text: string): void;
}

export async function runCopy({ databaseUrl, query }: CopyJob): Promise<CopyResult> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const startedAt = performance.now();
    const bytes = await copy(client, `COPY (${query}) TO STDOUT`);
    return { bytes, milliseconds: performance.now() - startedAt };
  } finally {
    await client.end();
  }
}

function copy(client: pg.Client, text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const submittable = {
      submit: (connection: CopyConnection) => connection.query(text),
      handleCopyData: ({ chunk }: { chunk: Buffer }) => {
        bytes += chunk.length;
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => resolve(bytes),
      handleError: reject,
    };
    client.query(submittable as unknown as pg.Submittable);
  });
}
