import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import { NamedInPath } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { wholeNumber } from '../numbers.ts';
import { prose, text } from '../text.ts';

/** What a bulk job does with its lines (behaviour 21.3). */
export const BulkJobKind = z.enum(['STAGE', 'MOVE', 'PROCESS', 'UNDO']);
export type BulkJobKind = z.infer<typeof BulkJobKind>;

/** How far a bulk job is (behaviour 21.3). */
export const BulkJobState = z.enum(['OPEN', 'PLANNING', 'RUNNING', 'PAUSED', 'REHEARSED', 'FINISHED', 'CANCELLED']);
export type BulkJobState = z.infer<typeof BulkJobState>;

/** Why a bulk job is PAUSED. */
export const BulkJobReason = z.enum([
  'asked',
  'import_supplier_not_ongoing',
  'too_many_refused',
  'operations_team_gone',
  'chunk_keeps_failing',
  'api_key_revoked',
]);
export type BulkJobReason = z.infer<typeof BulkJobReason>;

/** Whether a run has an effect. */
export const BulkRunMode = z.enum(['REAL', 'REHEARSAL']);
export type BulkRunMode = z.infer<typeof BulkRunMode>;

export const exampleJobId = '019a9d4e-6c1f-7b3a-8f21-5d0c6a7e9b14';
export const jobId = field(Uuid, 'The `id` of the bulk job.', exampleJobId);
export const jobIdInPath = field(NamedInPath, 'The `id` of the bulk job.', exampleJobId);

export const kind = field(
  BulkJobKind.exclude(['UNDO']),
  'STAGE: the uploaded lines are validated and staged. MOVE: they are validated, staged and created, with their ' +
    'history. PROCESS: accounts that are staged already are created; nothing is uploaded.',
  'MOVE',
);
export const label = field(text(LIMITS.name), 'What you call the job.', 'Harbour Vale, night 1');
export const runMode = field(
  BulkRunMode,
  'REAL: the accounts are moved. REHEARSAL: everything is done as in a real run and rolled back, so that only the ' +
    'outcomes and a report remain.',
  'REHEARSAL',
);
export const parallelism = field(
  wholeNumber(1, LIMITS.bulk_parallelism),
  `How many chunks of the job may be worked on at the same time, 1 to ${LIMITS.bulk_parallelism}. At most the import supplier's \`bulk_parallelism\`, which the service team sets. Default: 1.`,
  2,
);
export const accountsPerSecond = field(
  wholeNumber(1, LIMITS.bulk_accounts_per_second).nullable(),
  `The maximum rate of the job, 1 to ${limitText(LIMITS.bulk_accounts_per_second)} accounts per second; null is no limit.`,
  200,
);

const teamName = optional(
  prose(LIMITS.operations_team_name),
  'The team to which the created accounts are linked. Required for MOVE and PROCESS.',
  'Migration support',
);
const ACCEPTED = 'A rehearsal is not. Anyone who resumes the job accepts them, and removes its limits for good.';
const maxRefused = field(
  wholeNumber(0, LIMITS.bulk_lines).nullable(),
  `The job is paused, with the reason \`too_many_refused\`, when more lines than this were refused: between chunks, so some more may have been. ${ACCEPTED} Null, the default, is no limit.`,
  1000,
);
const maxRefusedRatio = field(
  z.number().min(0).max(1).nullable(),
  `The job is paused, with the reason \`too_many_refused\`, when more than this part of its first ${limitText(LIMITS.bulk_first_lines)} lines was refused, or of all its lines if it has fewer; not for ten lines or fewer. This is looked at between chunks. ${ACCEPTED} Null is no limit. Default: 0.1.`,
  0.1,
);
const checkPreviouslyAdded = field(
  z.boolean(),
  'As in the import of transactions: skips those that the account already has. Default: true.',
  true,
);
const forceAdd = field(
  z.boolean(),
  'As in the import of transactions: moves a transaction whose date is outside the open statement period to the nearest day inside. Default: true.',
  true,
);

/** How a bulk job is to work on its lines (behaviour 21.3). */
export const BulkJobOptionsRequest = z
  .object({
    operations_team_name: teamName,
    parallelism: parallelism.default(1),
    accounts_per_second: accountsPerSecond.default(null),
    max_refused: maxRefused.default(null),
    max_refused_ratio: maxRefusedRatio.default(0.1),
    check_previously_added: checkPreviouslyAdded.default(true),
    force_add_to_current_statement: forceAdd.default(true),
  })
  .meta({
    id: 'BulkJobOptionsRequest',
    description: 'How the job is to work on its lines.',
    examples: [{ operations_team_name: 'Migration support', parallelism: 2, max_refused: 1000 }],
  });

/** How a bulk job works on its lines, defaults filled in. */
export const BulkJobOptions = z
  .object({
    operations_team_name: teamName,
    parallelism,
    accounts_per_second: accountsPerSecond,
    max_refused: maxRefused,
    max_refused_ratio: maxRefusedRatio,
    check_previously_added: checkPreviouslyAdded,
    force_add_to_current_statement: forceAdd,
  })
  .meta({
    id: 'BulkJobOptions',
    description: 'How the job works on its lines.',
    examples: [
      {
        operations_team_name: 'Migration support',
        parallelism: 2,
        accounts_per_second: null,
        max_refused: 1000,
        max_refused_ratio: 0.1,
        check_previously_added: true,
        force_add_to_current_statement: true,
      },
    ],
  });
export type BulkJobOptions = z.output<typeof BulkJobOptions>;

const states = field(
  z
    .array(z.enum(['STAGED', 'FAILED']))
    .min(1)
    .max(2),
  'STAGED: never attempted since they were last staged. FAILED: the last attempt to create the account failed. Default: both.',
  ['STAGED'],
);
const stagedBefore = optional(
  UtcDatetime,
  'Only those staged for the first time before this datetime, in UTC.',
  '2026-04-17T09:30:12Z',
);

/** The accounts that a PROCESS job is to create: those that are staged when it is started (behaviour 21.3). */
export const BulkJobSelectionRequest = z
  .object({ states: states.default(['STAGED', 'FAILED']), staged_before: stagedBefore })
  .apply(documented, 'BulkJobSelectionRequest', 'Which of the staged accounts a PROCESS job creates.', 'staged_before');

/** The accounts of a PROCESS job. */
export const BulkJobSelection = z
  .object({ states, staged_before: stagedBefore })
  .apply(documented, 'BulkJobSelection', 'Which of the staged accounts a PROCESS job creates.', 'staged_before');
export type BulkJobSelection = z.output<typeof BulkJobSelection>;
