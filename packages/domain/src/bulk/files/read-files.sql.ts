import { type Fragment, fragment, narrow, rawSql, sql } from '@causeway/db';

/** Compressed bytes, and chunks, of one step of a download. */
const STEP_BYTES = rawSql('262144');
const STEP_CHUNKS = rawSql('100');

const COLUMNS = { first_line: 'integer', file: narrow<Buffer>('bytea') } as const;
const OF_RUN = fragment`job_id = ${'id'} AND run = ${'run'}`;

/** A file of a run's chunks from a line on, in the order of the lines: as many as are small together, and one at least. */
function filesOf<Name extends string>(file: 'results' | 'refused_lines', outcome: Fragment<Name>) {
  const column = rawSql(file);
  return fragment`
  WITH chunk AS (
    SELECT first_line, number, octet_length(${column}) AS bytes
    FROM bulk_chunks
    WHERE ${OF_RUN}
      AND first_line >= ${'first_line'}
      AND ${column} IS NOT NULL
      AND ${outcome}
    ORDER BY first_line
    LIMIT ${STEP_CHUNKS}
  ),
  step AS (
    SELECT number, sum(bytes) OVER (ORDER BY first_line) - bytes AS bytes_before
    FROM chunk
  )
  SELECT first_line, coalesce(${column}, '') AS file
  FROM bulk_chunks
  WHERE ${OF_RUN}
    AND number IN (SELECT number FROM step WHERE bytes_before < ${STEP_BYTES})
  ORDER BY first_line`;
}

export const READ_FAILED_ROWS = sql('read-failed-rows', COLUMNS)`${filesOf('refused_lines', fragment`true`)}`;

/** Of the chunks that have lines with an outcome, or of all. */
export const READ_BULK_RESULTS = sql('read-bulk-results', COLUMNS)`${filesOf(
  'results',
  fragment`(${'outcome'}::text IS NULL OR (counts->>${'outcome'}::text)::integer > 0)`,
)}`;

/** Where the chunk begins that has a line. */
export const FIRST_LINE_OF_CHUNK = sql('first-line-of-chunk', { first_line: 'integer | null' })`
  SELECT max(first_line) AS first_line
  FROM bulk_chunks
  WHERE ${OF_RUN}
    AND first_line <= ${'line'}`;

/**
 * Uploaded lines that are not done, body after body: how many of each are done, and where its line numbers begin. For
 * a job that was never planned, the numbers are not known: 1.
 */
export const READ_UNPROCESSED_BODIES = sql('read-unprocessed-bodies', {
  number: 'integer',
  body: 'bytea',
  done: 'integer',
})`
  SELECT body.number, body.body, coalesce(chunk.cursor, 0) AS done
  FROM bulk_bodies AS body
  LEFT JOIN bulk_chunks AS chunk
    ON chunk.job_id = body.job_id AND chunk.run = ${'run'} AND chunk.number = body.number
  WHERE body.job_id = ${'id'}
    AND body.number > ${'after'}
    AND coalesce(chunk.cursor, 0) < body.lines
  ORDER BY body.number
  LIMIT 4`;

/** The accounts of a cohort that are not done, chunk after chunk. */
export const READ_UNPROCESSED_ACCOUNTS = sql('read-unprocessed-accounts', {
  number: 'integer',
  external_account_numbers: 'text[]',
})`
  SELECT chunk.number, ARRAY(
      SELECT import.external_account_number
      FROM unnest(chunk.account_import_ids) WITH ORDINALITY AS account (id, place)
      JOIN account_imports AS import ON import.id = account.id
      WHERE place > chunk.cursor
      ORDER BY place
    ) AS external_account_numbers
  FROM bulk_chunks AS chunk
  WHERE ${OF_RUN}
    AND number > ${'after'}
    AND account_import_ids IS NOT NULL
    AND NOT done
  ORDER BY number
  LIMIT 100`;
