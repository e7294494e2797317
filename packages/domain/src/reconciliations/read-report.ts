import type { ReconciliationReport } from '@causeway/contracts';
import { type Database, type RowOf, sql } from '@causeway/db';
import type { Context } from '../shared/context.ts';
import { utcDatetime, utcDatetimeOrNull } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';
import { KEEP_REPORT, READ_REPORT } from './read-report.sql.ts';
import { noReconciliation, signOffOf, untilFinished } from './sign-off-reconciliation.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** A report names no more bulk jobs: the newest. */
const MAX_JOBS = 1_000;
/** It is made once, and once more when it is signed off meanwhile. */
const MAX_ATTEMPTS = 5;

const OF_WHAT =
  'The figures that the manifest claims, compared with those that the service has stored, of every account of the ' +
  'import supplier; as of the time when the comparison finished. A figure that is not claimed was not compared.';

/** Signs a text, and answers a compact JWS. */
export type SignReport = (text: string) => Promise<string>;

/**
 * The signed report of a finished reconciliation (behaviour 24.4): a compact JWS, the same for everybody and each time,
 * until the reconciliation is signed off. Refuses with `reconciliation_does_not_exist`, and
 * `reconciliation_state_not_allowed` if it is not FINISHED.
 */
export async function readReport(context: Context, id: string, sign: SignReport): Promise<string> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const row = await findReport(context, id);
    if (row.report_jws !== null) return row.report_jws;
    const report_jws = await sign(canonicalJson(reportOf(context, id, row)));
    const [kept] = await context.database.query(KEEP_REPORT, { id, report_jws, signed_off_at: row.signed_off_at });
    if (kept !== undefined) return report_jws;
  }
  throw new Error('The report is made again and again.');
}

type ReportRow = RowOf<typeof READ_REPORT>;

async function findReport({ actor, database }: Context, id: string): Promise<ReportRow> {
  const [row] = UUID.test(id) ? await database.query(READ_REPORT, { id, max_jobs: MAX_JOBS }) : [];
  if (row === undefined || (actor.kind === 'organisation' && actor.organisationId !== row.organisation_id)) {
    throw noReconciliation('reconciliation_id');
  }
  if (row.state !== 'FINISHED') {
    const detail = `A reconciliation that is ${row.state} has no report. ${untilFinished(row.state)}`;
    throw new DomainError('reconciliation_state_not_allowed', detail, { attr: 'reconciliation_id' });
  }
  return row;
}

function reportOf(context: Context, id: string, row: ReportRow): ReconciliationReport {
  const { missing, extra, not_created, skipped, different } = row;
  return {
    report: 'causeway-reconciliation',
    version: 1,
    issued_at: utcDatetime(context.clock()),
    of: OF_WHAT,
    import_supplier: { code: row.import_supplier_code, name: row.supplier_name, organisation: row.organisation },
    manifest: { ...row.manifest, as_of: utcDatetime(row.as_of), sealed_at: utcDatetimeOrNull(row.sealed_at) },
    reconciliation: {
      id,
      created_by: row.created_by_staff ? 'staff' : 'supplier',
      person: row.created_by_person,
      created_at: utcDatetime(row.created_at),
      started_at: utcDatetimeOrNull(row.started_at),
      finished_at: utcDatetimeOrNull(row.finished_at),
    },
    verdict: row.verdict,
    covered: row.covered,
    totals: row.totals ?? [],
    accounts: { missing, extra, not_created, skipped, different },
    differences: { count: Number(row.differences), digest: row.differences_digest },
    moved_ranges: row.moved_ranges,
    bulk_jobs: row.jobs ?? [],
    signed_off: signOffOf(row),
    // What may be null is there once it is FINISHED.
  } as ReconciliationReport;
}

/** JSON as its canonical form has it (RFC 8785): the names of each object in order, and no white space. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner) =>
    inner === null || typeof inner !== 'object' || Array.isArray(inner)
      ? inner
      : Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1))),
  );
}

/** A public key with which reports can be verified: an Ed25519 key in base64url, and its thumbprint. */
export interface ReportKey {
  id: string;
  public_key: string;
}

/** Publishes a key before anything is signed with it, for good. */
export async function addReportKey(database: Database, key: ReportKey, at: Date): Promise<void> {
  await database.query(ADD_REPORT_KEY, { ...key, at });
}

/** All keys that reports were ever signed with, the newest first. */
export function listReportKeys(database: Database): Promise<ReportKey[]> {
  return database.query(LIST_REPORT_KEYS, {});
}

const ADD_REPORT_KEY = sql('add-report-key')`
  INSERT INTO report_keys (id, public_key, created_at)
  VALUES (${'id'}, ${'public_key'}, ${'at'})
  ON CONFLICT (id) DO NOTHING`;

/** The newest first. */
const LIST_REPORT_KEYS = sql('list-report-keys', { id: 'text', public_key: 'text' })`
  SELECT id, public_key
  FROM report_keys
  ORDER BY created_at DESC, id`;
