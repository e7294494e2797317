import { z } from 'zod';
import { LineOutcome } from '../book/result-line.ts';
import { documented, optional } from '../field.ts';
import { ImportSupplierCode, ImportSupplierCodeInPath, NamedInPath } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { wholeNumber } from '../numbers.ts';
import { afterLast, pageLimit } from '../paging.ts';
import { type Rule, withRules } from '../rules.ts';
import {
  accountsPerSecond,
  BulkJobOptionsRequest,
  BulkJobSelectionRequest,
  exampleJobId,
  jobId,
  jobIdInPath,
  kind,
  label,
  parallelism,
  runMode,
} from './bulk-job-fields.ts';

interface KindAndOptions {
  kind: 'STAGE' | 'MOVE' | 'PROCESS';
  options: { operations_team_name?: string | undefined };
  selection?: object | undefined;
}

const teamIsNamed: Rule<KindAndOptions> = {
  reads: ['kind', 'options'],
  check: ({ kind, options }) =>
    kind === 'STAGE' || options.operations_team_name !== undefined
      ? undefined
      : {
          code: 'required',
          path: ['options', 'operations_team_name'],
          detail: `A ${kind} job creates accounts: name the operations team to which they are linked.`,
        },
};
const selectionIsOfCohort: Rule<KindAndOptions> = {
  reads: ['kind', 'selection'],
  check: ({ kind, selection }) =>
    kind === 'PROCESS' || selection === undefined
      ? undefined
      : {
          code: 'contradicts_another_field',
          path: ['selection'],
          detail: `A ${kind} job works on the lines that are uploaded: leave the selection out.`,
        },
};

/** The request that creates a bulk job (behaviour 21.3). */
export const CreateBulkJobRequest = withRules(
  z.object({
    import_supplier: ImportSupplierCode,
    kind,
    label: label.optional(),
    options: BulkJobOptionsRequest.default(BulkJobOptionsRequest.parse({})),
    selection: BulkJobSelectionRequest.optional(),
  }),
  teamIsNamed,
  selectionIsOfCohort,
).meta({
  id: 'CreateBulkJobRequest',
  description: 'Creates a bulk job of an import supplier. It is OPEN: upload its parts, then start it.',
  examples: [
    {
      import_supplier: 'NORTHWIND-2026',
      kind: 'MOVE',
      label: 'Northwind, night 1',
      options: { operations_team_name: 'Migration support' },
    },
  ],
});
export type CreateBulkJobRequest = z.output<typeof CreateBulkJobRequest>;

/** The request about one bulk job. */
export const BulkJobRequest = z
  .object({ job_id: jobIdInPath })
  .apply(documented, 'BulkJobRequest', 'Names a bulk job.');
export type BulkJobRequest = z.infer<typeof BulkJobRequest>;

const announced = (of: string, maximum: number, example: number) =>
  optional(
    wholeNumber(1, maximum),
    `How many ${of} you have uploaded. If the service has another number of them, nothing is started.`,
    example,
  );

/** The request that starts a bulk job, or starts one that was rehearsed (behaviour 21.3). */
export const StartBulkJobRequest = z
  .object({
    job_id: jobIdInPath,
    run_mode: runMode,
    lines: announced('lines', LIMITS.bulk_lines, 1204331),
    parts: announced('parts', LIMITS.bulk_parts, 241),
  })
  .apply(documented, 'StartBulkJobRequest', 'Starts a bulk job. From then on it takes no more parts.');
export type StartBulkJobRequest = z.infer<typeof StartBulkJobRequest>;

/** The request for the bulk jobs of an import supplier (behaviour 21.5). */
export const ListBulkJobsRequest = z
  .object({
    import_supplier: ImportSupplierCodeInPath,
    limit: pageLimit('jobs'),
    after: afterLast(NamedInPath, '`id` of the last job', exampleJobId),
  })
  .meta({
    id: 'ListBulkJobsRequest',
    description: 'Asks for the bulk jobs of an import supplier, oldest first.',
    examples: [{ import_supplier: 'NORTHWIND-2026' }],
  });
export type ListBulkJobsRequest = z.infer<typeof ListBulkJobsRequest>;

/** The request for the parts of a bulk job that are stored (behaviour 21.4). */
export const BulkJobPartsRequest = z
  .object({
    job_id: jobIdInPath,
    limit: pageLimit('parts'),
    after: afterLast(wholeNumber(0, LIMITS.bulk_parts), '`number` of the last part', 7),
  })
  .meta({
    id: 'BulkJobPartsRequest',
    description: 'Asks for the parts of a bulk job that are stored, in the order of their numbers.',
    examples: [{ job_id: exampleJobId }],
  });
export type BulkJobPartsRequest = z.infer<typeof BulkJobPartsRequest>;

/** The request for the results of a bulk job, page by page (behaviour 21.5). */
export const BulkJobResultsRequest = z
  .object({
    job_id: jobIdInPath,
    outcome: optional(LineOutcome, 'Only lines with this outcome. Default: all.', 'refused'),
    limit: optional(
      wholeNumber(1, LIMITS.list),
      `The maximum number of results to return, 1 to ${limitText(LIMITS.list)}. Over REST, without it, all of them are streamed.`,
      500,
    ),
    after: afterLast(wholeNumber(0, LIMITS.bulk_lines), '`line` of the last result', 500),
  })
  .meta({
    id: 'BulkJobResultsRequest',
    description: 'Asks for the results of the lines of a bulk job, in the order of the lines.',
    examples: [{ job_id: exampleJobId, outcome: 'refused' }],
  });
export type BulkJobResultsRequest = z.infer<typeof BulkJobResultsRequest>;

/** The request of the service team that changes how fast a bulk job works (behaviour 21.6). */
export const SetBulkJobLimitsRequest = z
  .object({
    id: jobId,
    parallelism: parallelism.optional(),
    accounts_per_second: accountsPerSecond.optional(),
  })
  .meta({
    id: 'SetBulkJobLimitsRequest',
    description: 'Changes how fast a bulk job works; fields that are left out stay unchanged.',
    examples: [{ id: exampleJobId, parallelism: 4, accounts_per_second: null }],
  });
export type SetBulkJobLimitsRequest = z.infer<typeof SetBulkJobLimitsRequest>;
