import { z } from 'zod';
import { field } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import {
  CountsByKind,
  Covered,
  exampleReconciliation,
  exampleReconciliationId,
  ReconciliationVerdict,
  Total,
} from './reconciliation.ts';
import { SignOff } from './sign-off.ts';

const { manifest_id, covered, totals, accounts, created_at, started_at, finished_at, ...found } = exampleReconciliation;
const exampleReport = {
  report: 'causeway-reconciliation' as const,
  version: 1 as const,
  issued_at: '2026-04-17T09:31:40Z',
  of:
    'The figures that the manifest claims, compared with those that the service has stored, of every account of the ' +
    'import supplier; as of the time when the comparison finished. A figure that is not claimed was not compared.',
  import_supplier: { code: 'NORTHWIND-2026', name: 'Northwind, autumn', organisation: 'Northwind Energy' },
  manifest: {
    id: manifest_id,
    source_system: 'Northwind billing',
    as_of: '2026-04-16T22:00:00Z',
    accounts: covered.accounts.expected,
    digest: '5a0b1c6f5f0e3f5b6e3f0f6f8f7a1a0f4f4d2d3c7e8b9a0b1c2d3e4f5a6b7c8d',
    computed_from_book: false,
    lodged_before_load: true,
    sealed_by: 'supplier' as const,
    person: null,
    sealed_at: '2026-04-16T22:41:19Z',
  },
  reconciliation: {
    id: exampleReconciliationId,
    created_by: 'supplier' as const,
    person: null,
    ...{ created_at, started_at, finished_at },
  },
  verdict: found.verdict,
  ...{ covered, totals, accounts },
  differences: { count: found.differences, digest: found.differences_digest },
  moved_ranges: 0,
  bulk_jobs: [{ id: '019a9d4e-6c1f-7b3a-8f21-5d0c6a7e9b14', kind: 'MOVE', rehearsed: true, done: true }],
  signed_off: null,
};
const { manifest, reconciliation, import_supplier } = exampleReport;

const whose = (what: string) => field(z.enum(['supplier', 'staff']), `Whose API key ${what}.`, 'supplier');
const person = field(z.string().nullable(), 'The person to whom the key was issued; null if it names none.', null);
const at = (description: string, example: string) => field(UtcDatetime, `${description}, in UTC.`, example);

/** The payload of the signed report of a reconciliation (behaviour 24.4). */
export const ReconciliationReport = z
  .strictObject({
    report: field(z.literal(exampleReport.report), 'Always this: what kind of document it is.', exampleReport.report),
    version: field(z.literal(1), 'Of this form. A later one may have more fields.', 1),
    issued_at: at('When the report was made', exampleReport.issued_at),
    of: field(z.string(), 'What was compared with what, in a sentence.', exampleReport.of),
    import_supplier: field(
      z.strictObject({
        code: field(z.string(), 'The code of the import supplier.', import_supplier.code),
        name: field(z.string(), 'Its name.', import_supplier.name),
        organisation: field(z.string(), 'The organisation to which it belongs.', import_supplier.organisation),
      }),
      'The import supplier whose accounts were compared.',
      import_supplier,
    ),
    manifest: field(
      z.strictObject({
        id: field(Uuid, 'The id of the manifest.', manifest.id),
        source_system: field(z.string(), 'The system that counted.', manifest.source_system),
        as_of: at('As of when it counted', manifest.as_of),
        accounts: field(z.number(), 'How many accounts it names.', manifest.accounts),
        digest: field(z.string(), 'Its digest, as hexadecimal digits.', manifest.digest),
        computed_from_book: field(z.boolean(), 'Whether it was computed from the book that was sent.', false),
        lodged_before_load: field(z.boolean(), 'Whether it was sealed before the first account was created.', true),
        sealed_by: whose('has sealed it'),
        person,
        sealed_at: at('When it was sealed', manifest.sealed_at),
      }),
      'The manifest with what the source claims.',
      manifest,
    ),
    reconciliation: field(
      z.strictObject({
        id: field(Uuid, 'The id of the reconciliation.', reconciliation.id),
        created_by: whose('has asked for it'),
        person,
        created_at: at('When it was asked for', reconciliation.created_at),
        started_at: at('When the first range was compared', reconciliation.started_at),
        finished_at: at('When it finished: the time of which the verdict speaks', reconciliation.finished_at),
      }),
      'The comparison, and who asked for it.',
      reconciliation,
    ),
    verdict: field(ReconciliationVerdict, 'The verdict.', exampleReport.verdict),
    covered: field(Covered, 'What the verdict is about.', covered),
    totals: field(z.array(Total), 'What each claimed figure adds up to on both sides.', totals),
    accounts: field(CountsByKind, 'How many accounts have each kind of difference.', accounts),
    differences: field(
      z.strictObject({
        count: field(z.number(), 'How many differences there are.', found.differences),
        digest: field(z.string(), 'The `differences_digest` of the reconciliation.', found.differences_digest),
      }),
      'The list of differences, which its digest fixes.',
      exampleReport.differences,
    ),
    moved_ranges: field(z.number(), 'How many ranges were still changing when the verdict was given.', 0),
    bulk_jobs: field(
      z.array(
        z.strictObject({
          id: field(Uuid, 'The id of the job.', exampleReport.bulk_jobs[0]?.id ?? ''),
          kind: field(z.string(), 'What the job does.', 'MOVE'),
          rehearsed: field(z.boolean(), 'Whether it was rehearsed.', true),
          done: field(z.boolean(), 'Whether it has finished, not as a rehearsal.', true),
        }),
      ),
      'The bulk jobs that began before it finished, the newest 1,000, oldest first.',
      exampleReport.bulk_jobs,
    ),
    signed_off: field(
      SignOff.nullable(),
      'Who has accepted the outcome when the report was made; otherwise null.',
      null,
    ),
  })
  .meta({
    id: 'ReconciliationReport',
    description: 'The payload of the report of a reconciliation.',
    examples: [exampleReport],
  });
export type ReconciliationReport = z.infer<typeof ReconciliationReport>;
