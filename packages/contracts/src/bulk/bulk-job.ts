import { z } from 'zod';
import { documented, field } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { BulkCounts, BulkEstimate, BulkSums } from './bulk-figures.ts';
import {
  BulkJobKind,
  BulkJobOptions,
  BulkJobReason,
  BulkJobSelection,
  BulkJobState,
  BulkRunMode,
  exampleJobId,
} from './bulk-job-fields.ts';
import { BulkReport } from './bulk-report.ts';

const at = (description: string, example: string | null) =>
  field(UtcDatetime.nullable(), `${description}, in UTC; otherwise null.`, example);
const link = (description: string, path = '') =>
  field(z.string().meta({ format: 'uri-reference' }), description, `/v1/data-import/bulk-jobs/${exampleJobId}/${path}`);

const identity = {
  id: field(Uuid, 'The id of the job.', exampleJobId),
  import_supplier: field(z.string(), 'The code of its import supplier.', 'NORTHWIND-2026'),
  kind: field(
    BulkJobKind,
    'What the job does with its lines: see the request that creates it. UNDO: it takes back what another job created.',
    'MOVE',
  ),
  undoes_job: field(Uuid.nullable(), 'The job that an UNDO job takes back; null for the others.', null),
  label: field(z.string().nullable(), 'What you call the job; null if you gave it no label.', 'Northwind, night 1'),
  state: field(
    BulkJobState,
    'OPEN: takes parts. PLANNING: was started, and its lines are being divided into chunks. RUNNING: its lines are worked ' +
      'on. PAUSED: nothing is worked on, see `state_reason`. REHEARSED: the rehearsal has ended; start it again. FINISHED: ' +
      'every line has its outcome. CANCELLED: what was not done will not be done.',
    'RUNNING',
  ),
  state_reason: field(
    BulkJobReason.nullable(),
    'Why it is PAUSED; otherwise null. asked: somebody paused it. import_supplier_not_ongoing: the import supplier is ' +
      'Paused or Complete; the job continues by itself once it is Ongoing. too_many_refused: more lines were refused than ' +
      '`options` allow. operations_team_gone: there is no such operations team any more. chunk_keeps_failing: the service ' +
      'failed at the same lines five times. api_key_revoked: the key with which the job was last started or resumed was ' +
      'revoked; it continues when it is resumed with another one.',
    null,
  ),
  run: field(z.number(), 'How often the job was started.', 2),
  run_mode: field(BulkRunMode.nullable(), 'The mode of its last run; null until it is started.', 'REAL'),
  lines: field(
    z.number().nullable(),
    'How many lines the job has: those received so far while it is OPEN. Null for a PROCESS job until its accounts are counted.',
    1204331,
  ),
  created_at: field(UtcDatetime, 'When it was created, in UTC.', '2026-11-21T22:20:31Z'),
  started_at: at('When it was last started', '2026-11-21T22:51:07Z'),
  paused_at: at('When it was paused, if it is PAUSED', null),
  finished_at: at('When it was finished or cancelled', null),
  files_expire_at: at(
    'When its uploaded lines, results and failed rows are removed. An OPEN, REHEARSED or PAUSED job is cancelled then',
    null,
  ),
};

/** A bulk job and its progress (behaviour 21.5). */
export const BulkJob = z
  .object({
    ...identity,
    options: field(BulkJobOptions, 'How the job works on its lines.', {
      ...{ operations_team_name: 'Migration support', parallelism: 2, accounts_per_second: null, max_refused: null },
      ...{ max_refused_ratio: 0.1, check_previously_added: true, force_add_to_current_statement: true },
    }),
    selection: field(
      BulkJobSelection.nullable(),
      'Which staged accounts a PROCESS job creates; null for the others.',
      null,
    ),
    parts: field(z.number(), 'How many parts were received.', 241),
    missing_parts: field(
      z.array(z.number()),
      `The numbers below the highest one received that are missing, at most the first ${limitText(LIMITS.bulk_missing_parts)}.`,
    ),
    counts: BulkCounts,
    sums: BulkSums,
    accounts_per_second: field(
      z.number().nullable(),
      'How many lines a second were done in the last minute; null unless the job is RUNNING.',
      412,
    ),
    estimate: field(
      BulkEstimate.nullable(),
      'When the job is expected to finish; null in its first 20 seconds and unless it is RUNNING.',
    ),
    report: field(BulkReport.nullable(), 'What its last rehearsal showed; null without one.', null),
    links: field(
      z.object({
        self: link('The job.'),
        errors: link('Its problems, counted.', 'errors/'),
        results: link('What happened to each line.', 'results/'),
        failed_rows: link('The lines that were refused or failed, as sent.', 'failed-rows/'),
        unprocessed_rows: link('The lines that are not done, as sent.', 'unprocessed-rows/'),
      }),
      'Where to read more of it: paths to resolve against the address of this service.',
    ),
  })
  .apply(documented, 'BulkJob', 'A bulk job and its progress.');
export type BulkJob = z.infer<typeof BulkJob>;

/** A bulk job in a list, without what has to be added up (behaviour 21.5). */
export const BulkJobRecord = z.object(identity).apply(documented, 'BulkJobRecord', 'A bulk job, without its progress.');
export type BulkJobRecord = z.infer<typeof BulkJobRecord>;

export const ListBulkJobsResponse = z
  .array(BulkJobRecord)
  .apply(documented, 'ListBulkJobsResponse', 'The bulk jobs of the import supplier, oldest first.');
