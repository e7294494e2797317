import pg from 'pg';

/** How many accounts of an import supplier are in which state. */
export interface SampledCounts {
  staged: number;
  failed: number;
  skipped: number;
  completed: number;
  problems: number;
}

/** Puts samples of an import supplier's progress a minute apart, the last one of now; the service takes its own later. */
export async function putProgressSamples(
  databaseUrl: string,
  code: string,
  samples: readonly SampledCounts[],
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO progress_samples (import_supplier_code, at, staged, failed, skipped, completed, problems)
       SELECT $1, now() + (place - $3) * interval '1 minute', staged, failed, skipped, completed, problems
       FROM ROWS FROM (
         json_to_recordset($2) AS (staged integer, failed integer, skipped integer, completed integer, problems integer)
       ) WITH ORDINALITY AS sample (staged, failed, skipped, completed, problems, place)`,
      [code, JSON.stringify(samples), samples.length],
    );
  } finally {
    await client.end();
  }
}
