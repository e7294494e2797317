import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { LIMITS } from '../limits.ts';
import { MoneyString } from '../numbers.ts';
import { prose } from '../text.ts';
import { undoFields } from '../undo-account.ts';
import { BulkJob } from './bulk-job.ts';
import { accountsPerSecond, jobIdInPath, parallelism } from './bulk-job-fields.ts';

const count = (description: string, example: number) => field(z.number(), description, example);

/** What accounts have that received something since a job created them (behaviour 30.3). */
export const ChangedSince = z
  .object({
    accounts: count('How many accounts.', 3),
    notes: count('All their notes, without those that the service wrote itself.', 2),
    transactions: count('All their transactions.', 31),
    transactions_sum: field(MoneyString, 'The sum of the amounts.', '412.07'),
    statements: count('All their statements.', 6),
    statements_gross: field(MoneyString, 'The sum of the gross amounts.', '530.11'),
    payment_instructions: count('All their payment instructions, active and superseded.', 1),
  })
  .apply(
    documented,
    'ChangedSince',
    'The accounts that received something since the job created them, with all they have.',
  );
export type ChangedSince = z.infer<typeof ChangedSince>;

const shape = {
  job_id: jobIdInPath,
  include_later: optional(
    z.boolean(),
    'True: accounts that received something since are undone too. Then `changed_since` is required. Default: false.',
    true,
  ),
  changed_since: optional(ChangedSince, 'The figures of these accounts, as the answer to a dry run has them.'),
  parallelism: parallelism.default(LIMITS.bulk_parallelism_default),
  accounts_per_second: accountsPerSecond.default(null),
  tell_again: undoFields.tell_again,
  dry_run: optional(
    z.boolean(),
    'True: a job that does everything and rolls it back, whose results and sums are those that the undo would have. Default: false.',
    false,
  ),
};
const reason = field(prose(LIMITS.staff_reason), 'Why, for the audit trail.', 'Moved with the wrong tariff');

/** Undoes a bulk job (behaviour 30.3). */
export const UndoBulkJobRequest = z
  .object({ ...shape, reason: reason.optional() })
  .apply(
    documented,
    'UndoBulkJobRequest',
    'Takes back the accounts that a bulk job created.',
    'include_later',
    'changed_since',
  );
export type UndoBulkJobRequest = z.output<typeof UndoBulkJobRequest>;

/** The same for the service team, who must say why. */
export const StaffUndoBulkJobRequest = z
  .object({ ...shape, reason })
  .apply(
    documented,
    'StaffUndoBulkJobRequest',
    'Takes back the accounts that a bulk job created.',
    'include_later',
    'changed_since',
  );

export const UndoBulkJobResponse = z
  .object({ job: field(BulkJob, 'The job that undoes, which is RUNNING.'), changed_since: ChangedSince })
  .apply(documented, 'UndoBulkJobResponse', 'The job that takes back what the other one created.');
export type UndoBulkJobResponse = z.infer<typeof UndoBulkJobResponse>;
