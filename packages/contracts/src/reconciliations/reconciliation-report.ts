import { z } from 'zod';
import { documented, field } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import { CountsByKind, Covered, exampleReconciliationId, ReconciliationVerdict, Total } from './reconciliation.ts';
import { SignOff } from './sign-off.ts';

const KIND = 'causeway-reconciliation';
const whose = (what: string) => field(z.enum(['supplier', 'staff']), `Whose API key ${what}.`, 'supplier');
const person = field(z.string().nullable(), 'The person to whom the key was issued; null if it names none.', null);
const at = (description: string, example: string) => field(UtcDatetime, `${description}, in UTC.`, example);

/** The payload of the signed report of a reconciliation (behaviour 24.4). */
export const ReconciliationReport = z
  .strictObject({
    report: field(z.literal(KIND), 'Always this: what kind of document it is.', KIND),
    version: field(z.literal(1), 'Of this form. A later one may have more fields.', 1),
    issued_at: at('When the report was made', '2026-04-17T09:31:40Z'),
    of: field(
      z.string(),
      'What was compared with what, in a sentence.',
      'The figures that the manifest claims, compared with those that the service has stored, of every account of the ' +
        'import supplier; as of the time when the comparison finished. A figure that is not claimed was not compared.',
    ),
    import_supplier: field(
      z.strictObject({
        code: field(z.string(), 'The code of the import supplier.', 'NORTHWIND-2026'),
        name: field(z.string(), 'Its name.', 'Northwind, autumn'),
        organisation: field(z.string(), 'The organisation to which it belongs.', 'Northwind Energy'),
      }),
      'The import supplier whose accounts were compared.',
    ),
    manifest: field(
      z.strictObject({
        id: field(Uuid, 'The id of the manifest.', '019a9d51-2f7e-7c10-9b42-8e0f6a1d3c55'),
        source_system: field(z.string(), 'The system that counted.', 'Northwind billing'),
        as_of: at('As of when it counted', '2026-04-16T22:00:00Z'),
        accounts: field(z.number(), 'How many accounts it names.', 1204331),
        digest: field(
          z.string(),
          'Its digest, as hexadecimal digits.',
          '5a0b1c6f5f0e3f5b6e3f0f6f8f7a1a0f4f4d2d3c7e8b9a0b1c2d3e4f5a6b7c8d',
        ),
        computed_from_book: field(z.boolean(), 'Whether it was computed from the book that was sent.', false),
        lodged_before_load: field(z.boolean(), 'Whether it was sealed before the first account was created.', true),
        sealed_by: whose('has sealed it'),
        person,
        sealed_at: at('When it was sealed', '2026-04-16T22:41:19Z'),
      }),
      'The manifest with what the source claims.',
    ),
    reconciliation: field(
      z.strictObject({
        id: field(Uuid, 'The id of the reconciliation.', exampleReconciliationId),
        created_by: whose('has asked for it'),
        person,
        created_at: at('When it was asked for', '2026-04-17T09:29:58Z'),
        started_at: at('When the first range was compared', '2026-04-17T09:29:59Z'),
        finished_at: at('When it finished: the time of which the verdict speaks', '2026-04-17T09:30:12Z'),
      }),
      'The comparison, and who asked for it.',
    ),
    verdict: field(ReconciliationVerdict, 'The verdict.', 'DIFFERENT'),
    covered: field(Covered, 'What the verdict is about.'),
    totals: field(z.array(Total), 'What each claimed figure adds up to on both sides.'),
    accounts: field(CountsByKind, 'How many accounts have each kind of difference.'),
    differences: field(
      z.strictObject({
        count: field(z.number(), 'How many differences there are.', 2),
        digest: field(
          z.string(),
          'The `differences_digest` of the reconciliation.',
          '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
        ),
      }),
      'The list of differences, which its digest fixes.',
    ),
    moved_ranges: field(z.number(), 'How many ranges were still changing when the verdict was given.', 0),
    bulk_jobs: field(
      z.array(
        z.strictObject({
          id: field(Uuid, 'The id of the job.', '019a9d4e-6c1f-7b3a-8f21-5d0c6a7e9b14'),
          kind: field(z.string(), 'What the job does.', 'MOVE'),
          rehearsed: field(z.boolean(), 'Whether it was rehearsed.', true),
          done: field(z.boolean(), 'Whether it has finished, not as a rehearsal.', true),
        }),
      ),
      'The bulk jobs that began before it finished, the newest 1,000, oldest first.',
    ),
    signed_off: field(
      SignOff.nullable(),
      'Who has accepted the outcome when the report was made; otherwise null.',
      null,
    ),
  })
  .apply(documented, 'ReconciliationReport', 'The payload of the report of a reconciliation.');
export type ReconciliationReport = z.infer<typeof ReconciliationReport>;
