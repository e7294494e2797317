import { z } from 'zod';
import { field } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { SignOff } from './sign-off.ts';

export const exampleReconciliationId = '019a9d60-51c4-7e0d-8d1f-2b6f0c9a7e11';

const ReconciliationState = z.enum(['PLANNING', 'RUNNING', 'FINISHED', 'CANCELLED']);
export const ReconciliationVerdict = z.enum(['EQUAL', 'DIFFERENT', 'MOVED']);

const count = (description: string, example = 0) => field(z.number(), description, example);
const at = (description: string, example: string | null) =>
  field(UtcDatetime.nullable(), `${description}, in UTC; otherwise null.`, example);

const exampleRecord = {
  id: exampleReconciliationId,
  import_supplier: 'NORTHWIND-2026',
  manifest_id: '019a9d51-2f7e-7c10-9b42-8e0f6a1d3c55',
  state: 'FINISHED' as const,
  verdict: 'DIFFERENT' as const,
  created_at: '2026-04-17T09:29:58Z',
  started_at: '2026-04-17T09:29:59Z',
  finished_at: '2026-04-17T09:30:12Z',
  signed_off: null,
};
const exampleTotal = { figure: 'transactions_sum', expected: '104.88', actual: '104.87', difference: '-0.01' };
const exampleAccounts = { expected: 1204331, created: 1204330, both: 1204330 };
const exampleFigure = { claimed: 1204331, unclaimed: 0 };
const exampleCounts = { missing: 0, extra: 0, not_created: 1, skipped: 0, different: 1 };

const identity = {
  id: field(Uuid, 'The id of the reconciliation.', exampleReconciliationId),
  import_supplier: field(z.string(), 'The code of its import supplier.', 'NORTHWIND-2026'),
  manifest_id: field(Uuid, 'The id of the manifest with which it compares.', exampleRecord.manifest_id),
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
  created_at: field(UtcDatetime, 'When it was asked for, in UTC.', exampleRecord.created_at),
  started_at: at('When the first range was compared', exampleRecord.started_at),
  finished_at: at('When it finished, or was cancelled', exampleRecord.finished_at),
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
  expected: field(z.string(), 'What the manifest claims, added up.', exampleTotal.expected),
  actual: field(
    z.string(),
    'What is stored of the accounts of which it is claimed, and of those that the manifest does not name, added up.',
    exampleTotal.actual,
  ),
  difference: field(z.string(), 'What is stored beyond what is claimed.', exampleTotal.difference),
});

export const Covered = z.object({
  accounts: field(
    z.object({
      expected: count('How many the manifest names.', exampleAccounts.expected),
      created: count('How many the import supplier has that are created.', exampleAccounts.created),
      both: count('How many are both.', exampleAccounts.both),
    }),
    'The accounts of either side.',
    exampleAccounts,
  ),
  figures: field(
    z.record(
      z.string(),
      z.object({
        claimed: count(
          'Of how many accounts the manifest claims it, whether or not they arrived. It was compared of those that did.',
          exampleFigure.claimed,
        ),
        unclaimed: count('Of how many accounts of the manifest it is not claimed: there it was not compared.'),
      }),
    ),
    'Each figure by its name.',
    { transactions_sum: exampleFigure },
  ),
});

export const CountsByKind = z.object({
  missing: count('MISSING.'),
  extra: count('EXTRA.'),
  not_created: count('NOT_CREATED.', 1),
  skipped: count('SKIPPED.'),
  different: count('DIFFERENT.', 1),
});

export const exampleReconciliation = {
  ...exampleRecord,
  ranges: 241,
  ranges_done: 241,
  round: 1,
  totals: [exampleTotal],
  accounts: exampleCounts,
  differences: 2,
  differences_digest: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
  covered: { accounts: exampleAccounts, figures: { transactions_sum: exampleFigure } },
  moved_ranges: 0,
};

/** A reconciliation and its verdict (behaviour 23.4). */
export const Reconciliation = z
  .object({
    ...identity,
    ranges: count('Into how many ranges its accounts are divided.', exampleReconciliation.ranges),
    ranges_done: count('How many of them are compared, and have not changed since as far as is known.', 241),
    round: count(`How often ranges were compared, at most ${LIMITS.reconciliation_rounds} times.`, 1),
    totals: field(
      z.array(Total).nullable(),
      'What each claimed figure adds up to on both sides; null until it is FINISHED.',
      [exampleTotal],
    ),
    accounts: field(
      CountsByKind.nullable(),
      'How many accounts have each kind of difference; null until it is FINISHED.',
      exampleCounts,
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
      exampleReconciliation.differences_digest,
    ),
    covered: field(
      Covered.nullable(),
      'What the verdict is about; null until it is FINISHED.',
      exampleReconciliation.covered,
    ),
    moved_ranges: field(
      z.number().nullable(),
      'How many ranges were still changing when the verdict was given; null until it is FINISHED.',
      0,
    ),
  })
  .meta({
    id: 'Reconciliation',
    description: 'A reconciliation, and its verdict once it is FINISHED.',
    examples: [exampleReconciliation],
  });
export type Reconciliation = z.infer<typeof Reconciliation>;

/** A reconciliation in a list. */
export const ReconciliationRecord = z.object(identity).meta({
  id: 'ReconciliationRecord',
  description: 'A reconciliation, without its figures.',
  examples: [exampleRecord],
});
export type ReconciliationRecord = z.infer<typeof ReconciliationRecord>;

export const ListReconciliationsResponse = z.array(ReconciliationRecord).meta({
  id: 'ListReconciliationsResponse',
  description: 'The reconciliations of the import supplier, oldest first.',
  examples: [[exampleRecord]],
});
export type ListReconciliationsResponse = z.infer<typeof ListReconciliationsResponse>;
