import { z } from 'zod';
import { BulkJobKind, BulkJobReason, BulkRunMode, exampleJobId } from '../bulk/bulk-job-fields.ts';
import { field } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import { ServiceAccountNumberOrNull, StoredExternalAccountNumber } from '../identifiers.ts';
import { exampleReconciliationId, ReconciliationVerdict } from '../reconciliations/reconciliation.ts';
import { ImportOperation, RefusedOperation } from '../refusals.ts';
import { ImportSupplierStatus } from '../staff/import-supplier-fields.ts';

/** What an event tells (behaviour 27.1). */
export const EventType = z.enum([
  'account.staged',
  'account.created',
  'account.refused',
  'account.remarked',
  'account.completed',
  'account.skipped',
  'account.unskipped',
  'account.undone',
  'bulk_job.started',
  'bulk_job.paused',
  'bulk_job.resumed',
  'bulk_job.finished',
  'bulk_job.cancelled',
  'reconciliation.finished',
  'import_supplier.status_changed',
]);
export type EventType = z.infer<typeof EventType>;

const SUPPLIER = { import_supplier: 'NORTHWIND-2026' };
const ACCOUNT_LINK = { link: '/v1/data-import/accounts/NORTHWIND-2026/NW-0001482/' };
const SUPPLIER_LINK = { link: '/v1/data-import/import-suppliers/NORTHWIND-2026/' };
const RECONCILIATION_LINK = { link: `/v1/data-import/reconciliations/${exampleReconciliationId}/` };
const JOB_LINK = { link: `/v1/data-import/bulk-jobs/${exampleJobId}/` };
const STAGED = {
  ...SUPPLIER,
  ...{ external_account_number: 'NW-0001482', service_account_number: null },
  ...ACCOUNT_LINK,
};
const CREATED = { ...STAGED, service_account_number: 'A-7K3M9QXT' };
const JOB = { ...SUPPLIER, job_id: exampleJobId, kind: 'MOVE' as const, run_mode: 'REAL' as const, ...JOB_LINK };
const DOUBTS = [{ code: 'unlikely_meter_point', attr: 'supply_addresses.0.meter_points.0.identifier' }];
const ERRORS = [{ code: 'invalid_date', attr: 'transactions.3.transaction_date' }];

const import_supplier = field(z.string(), 'The code of the import supplier.', SUPPLIER.import_supplier);
const linkTo = (what: string, example: string) =>
  field(
    z.string().meta({ format: 'uri-reference' }),
    `The path at which ${what}, with a token of the organisation.`,
    example,
  );
const account = {
  import_supplier,
  external_account_number: StoredExternalAccountNumber,
  service_account_number: ServiceAccountNumberOrNull,
  link: linkTo('the account is read back; 404 before it is staged', ACCOUNT_LINK.link),
};
const job = {
  import_supplier,
  job_id: field(Uuid, 'The `id` of the bulk job.', exampleJobId),
  kind: field(BulkJobKind, 'What the job does.', JOB.kind),
  run_mode: field(BulkRunMode.nullable(), 'Whether the run has an effect; null if there was none.', JOB.run_mode),
  link: linkTo('the job is read', JOB_LINK.link),
};
const error = z.object({
  code: field(z.string(), 'The code of the problem.', 'invalid_date'),
  attr: field(z.string(), 'The path of the field; empty if no field is at fault.', ERRORS[0]?.attr ?? ''),
});

const exampleEvent = { id: 'evt_6f1d0c5be0a64b6f9c2e52b8d1b7a904', timestamp: '2026-04-17T09:30:12Z' };

function eventOf<const Types extends [EventType, ...EventType[]], Shape extends z.ZodRawShape>(
  types: Types,
  shape: Shape,
  { description, example }: { description: string; example: object },
) {
  return z.object({
    id: field(
      z.string().meta({ pattern: '^evt_[0-9a-f]{32}$' }),
      'The id of the event, the same however often you receive it: ignore one that you have seen.',
      exampleEvent.id,
    ),
    type: field(z.enum(types), description, types[0]),
    timestamp: field(UtcDatetime, 'When it happened, in UTC.', exampleEvent.timestamp),
    data: z.object(shape).meta({ description: 'What it is about.', examples: [example] }),
  });
}

const staged = eventOf(
  ['account.staged'],
  { ...account, times_staged: field(z.number(), 'How often it was staged, this time included.', 1) },
  { description: 'An account was staged, or staged again.', example: { ...STAGED, times_staged: 1 } },
);
const changed = eventOf(
  ['account.created', 'account.completed', 'account.skipped', 'account.unskipped', 'account.undone'],
  account,
  {
    description:
      '`account.created`: the account exists. `account.completed`: it exists, and no refusal of it is open; again, if one was opened and fixed later. `account.skipped`: it will not be migrated. `account.unskipped`: it is pending again. `account.undone`: it exists no more; the number is that which it had.',
    example: CREATED,
  },
);
const refused = eventOf(
  ['account.refused'],
  {
    ...account,
    operation: field(RefusedOperation.exclude(['dry_run']), 'What was refused.', 'transactions'),
    code: field(z.string(), 'The code of the refusal.', 'request_failed_validation'),
    errors: field(z.array(error), 'The fields at fault. Never a value.', ERRORS),
  },
  {
    description: 'Something of the account was refused. It comes once, until the operation succeeds.',
    example: { ...CREATED, operation: 'transactions', code: 'request_failed_validation', errors: ERRORS },
  },
);
const remarked = eventOf(
  ['account.remarked'],
  {
    ...account,
    operation: field(
      ImportOperation.extract(['stage', 'notes', 'transactions', 'statements', 'payment_instruction']),
      'What brought it.',
      'stage',
    ),
    code: field(z.string(), 'The code of the remark.', 'unlikely_meter_point'),
    errors: field(z.array(error), 'The doubtful fields. Never a value.', DOUBTS),
  },
  {
    description:
      'Something of the account is doubtful, and stored as it was sent. It comes once, until the remark has ended.',
    example: { ...STAGED, operation: 'stage', code: 'unlikely_meter_point', errors: DOUBTS },
  },
);
const jobChanged = eventOf(['bulk_job.started', 'bulk_job.resumed', 'bulk_job.finished', 'bulk_job.cancelled'], job, {
  description: 'A bulk job was started, continues, has finished a run, or was cancelled.',
  example: JOB,
});
const jobPaused = eventOf(
  ['bulk_job.paused'],
  { ...job, reason: field(BulkJobReason, 'Why.', 'too_many_refused') },
  { description: 'A bulk job was paused.', example: { ...JOB, reason: 'too_many_refused' } },
);
const reconciled = eventOf(
  ['reconciliation.finished'],
  {
    import_supplier,
    reconciliation_id: field(Uuid, 'The id of the reconciliation.', exampleReconciliationId),
    verdict: field(ReconciliationVerdict, 'The verdict.', 'EQUAL'),
    link: linkTo('the reconciliation is read', RECONCILIATION_LINK.link),
  },
  {
    description: 'A reconciliation has its verdict.',
    example: {
      ...SUPPLIER,
      ...{ reconciliation_id: exampleReconciliationId, verdict: 'EQUAL' },
      ...RECONCILIATION_LINK,
    },
  },
);
const statusChanged = eventOf(
  ['import_supplier.status_changed'],
  {
    import_supplier,
    status: field(ImportSupplierStatus, 'The new status.', 'PAUSED'),
    status_before: field(ImportSupplierStatus, 'The former status.', 'ONGOING'),
    link: linkTo('the import supplier is read', SUPPLIER_LINK.link),
  },
  {
    description: 'The import supplier accepts accounts again, or none any more.',
    example: { ...SUPPLIER, status: 'PAUSED', status_before: 'ONGOING', ...SUPPLIER_LINK },
  },
);

/** Something that happened to an organisation's data (behaviour 27.1). */
export const Event = z
  .discriminatedUnion('type', [staged, changed, refused, remarked, jobChanged, jobPaused, reconciled, statusChanged])
  .meta({
    id: 'Event',
    description: 'Something that happened: numbers, codes, states and a link, never personal data.',
    examples: [{ ...exampleEvent, type: 'account.created', data: CREATED }],
  });
export type Event = z.infer<typeof Event>;
