import { z } from 'zod';
import { documented, field } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { SignOff } from './sign-off.ts';

export const exampleReconciliationId = '019a9d60-51c4-7e0d-8d1f-2b6f0c9a7e11';

const ReconciliationState = z.enum(['PLANNING', 'RUNNING', 'FINISHED', 'CANCELLED']);
export const ReconciliationVerdict = z.enum(['EQUAL', 'DIFFERENT', 'MOVED']);

const count = (description: string, example = 0) => field(z.number(), description, example);
const at = (description: string, example: string | null) =>
  field(UtcDatetime.nullable(), `${description}, in UTC; otherwise null.`, example);

const identity = {
  id: field(Uuid, 'The id of the reconciliation.', exampleReconciliationId),
  import_supplier: field(z.string(), 'The code of its import supplier.', 'NORTHWIND-2026'),
  manifest_id: field(Uuid, 'The id of the manifest with which it compares.', '019a9d51-2f7e-7c10-9b42-8e0f6a1d3c55'),
  state: field(
    ReconciliationState,
    'PLANNING: waits for its turn. RUNNING: ranges of accounts are compared. FINISHED: it has its verdict. CANCELLED: it ' +
      'will have none.',
    'FINISHED',
  ),
  verdict: field(
    ReconciliationVerdict.nullable(),
    'EQUAL: both sides have the same accounts, and every figure that is claimed is equal; `covered` says of how many accounts each one was. DIFFERENT: not so. MOVED: ' +
      'accounts were changing while they were compared, so that no verdict speaks of one state. Null until it is FINISHED.',
    'DIFFERENT',
  ),
  created_at: field(UtcDatetime, 'When it was asked for, in UTC.', '2026-04-17T09:29:58Z'),
  started_at: at('When the first range was compared', '2026-04-17T09:29:59Z'),
  finished_at: at('When it finished, or was cancelled', '2026-04-17T09:30:12Z'),
  signed_off: field(
    SignOff.nullable(),
    'Who of the service team has accepted the outcome, in its console or by its tools, why, and what that covers; otherwise null.',
    null,
  ),
};

export const Total = z.object({
  figure: field(
    z.string(),
    'The figure, as a difference has it in `field`; `accounts` is how many.',
    'transactions_sum',
  ),
  expected: field(z.string(), 'What the manifest claims, added up.', '104.88'),
  actual: field(
    z.string(),
    'What is stored of the accounts of which it is claimed, and of those that the manifest does not name, added up.',
    '104.87',
  ),
  difference: field(z.string(), 'What is stored beyond what is claimed.', '-0.01'),
});

export const Covered = z.object({
  accounts: field(
    z.object({
      expected: count('How many the manifest names.', 1204331),
      created: count('How many the import supplier has that are created.', 1204330),
      both: count('How many are both.', 1204330),
    }),
    'The accounts of either side.',
  ),
  figures: field(
    z.record(
      z.string(),
      z.object({
        claimed: count(
          'Of how many accounts the manifest claims it, whether or not they arrived. It was compared of those that did.',
          1204331,
        ),
        unclaimed: count('Of how many accounts of the manifest it is not claimed: there it was not compared.'),
      }),
    ),
    'Each figure by its name.',
    { transactions_sum: { claimed: 1204331, unclaimed: 0 } },
  ),
});

export const CountsByKind = z.object({
  missing: count('MISSING.'),
  extra: count('EXTRA.'),
  not_created: count('NOT_CREATED.', 1),
  skipped: count('SKIPPED.'),
  different: count('DIFFERENT.', 1),
});

/** A reconciliation and its verdict (behaviour 23.4). */
export const Reconciliation = z
  .object({
    ...identity,
    ranges: count('Into how many ranges its accounts are divided.', 241),
    ranges_done: count('How many of them are compared, and have not changed since as far as is known.', 241),
    round: count(`How often ranges were compared, at most ${LIMITS.reconciliation_rounds} times.`, 1),
    totals: field(
      z.array(Total).nullable(),
      'What each claimed figure adds up to on both sides; null until it is FINISHED.',
    ),
    accounts: field(
      CountsByKind.nullable(),
      'How many accounts have each kind of difference; null until it is FINISHED.',
    ),
    differences: field(
      z.number().nullable(),
      `How many differences there are; the first ${limitText(LIMITS.reconciliation_differences)} are listed. Null until it is FINISHED.`,
      2,
    ),
    differences_digest: field(
      z.string().nullable(),
      'The SHA-256 of the list of differences, as hexadecimal digits: of the line ' +
        '`["NW-0001482","DIFFERENT","notes","2","1"]` for each (account number, kind, field, expected, actual; JSON ' +
        'without spaces, each ended by a line feed), in the order in which `differences/` lists them. In strings, `"`, `\\` and ' +
        'control characters alone are escaped, as JSON.stringify does; everything else is UTF-8. Null until it is FINISHED.',
      '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
    ),
    covered: field(Covered.nullable(), 'What the verdict is about; null until it is FINISHED.'),
    moved_ranges: field(
      z.number().nullable(),
      'How many ranges were still changing when the verdict was given; null until it is FINISHED.',
      0,
    ),
  })
  .apply(documented, 'Reconciliation', 'A reconciliation, and its verdict once it is FINISHED.');
export type Reconciliation = z.infer<typeof Reconciliation>;

/** A reconciliation in a list. */
export const ReconciliationRecord = z
  .object(identity)
  .apply(documented, 'ReconciliationRecord', 'A reconciliation, without its figures.');
export type ReconciliationRecord = z.infer<typeof ReconciliationRecord>;

export const ListReconciliationsResponse = z
  .array(ReconciliationRecord)
  .apply(documented, 'ListReconciliationsResponse', 'The reconciliations of the import supplier, oldest first.');
