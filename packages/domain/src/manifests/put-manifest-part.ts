import { addLines, type LineClaims } from '@causeway/book';
import { type BulkPart, type FieldError, LIMITS, limitText } from '@causeway/contracts';
import { type Queryable, sql } from '@causeway/db';
import type { Context } from '../shared/context.ts';
import { utcDatetime } from '../shared/dates.ts';
import { accountImportId } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';
import { findManifest, manifestStateNotAllowed } from './get-manifest.ts';
import { type ManifestRow, SHARE_MANIFEST } from './manifest.sql.ts';

/** A line of a part with its number in it. */
export interface NumberedLine extends LineClaims {
  number: number;
}

interface IdentifiedLine extends NumberedLine {
  account_import_id: string;
}

/** A part of a manifest, unpacked and read. */
export interface ReadManifestPart {
  /** Of the bytes as they were sent. */
  bytes: number;
  sha256: Uint8Array;
  /** At least one, unless there are errors. */
  lines: NumberedLine[];
  /** The problems of lines: `17.notes`. */
  errors: FieldError[];
}

export interface PutManifestPartRequest {
  manifest_id: string;
  number: number;
}

/**
 * Stores a part of a manifest that is OPEN, all of it or nothing (behaviour 22.2); once this is answered, it is
 * durable. The same bytes again change nothing. `read` is called for a manifest that takes parts, with its import
 * supplier. Refuses with `manifest_does_not_exist`, `manifest_state_not_allowed`, `manifest_lines_invalid`,
 * `bulk_part_differs`, and as `read` does.
 */
export async function putManifestPart(
  context: Context,
  { manifest_id, number }: PutManifestPartRequest,
  read: (importSupplier: string) => Promise<ReadManifestPart>,
): Promise<{ part: BulkPart; isNew: boolean }> {
  const manifest = await findManifest(context, manifest_id);
  refuseParts(manifest);
  const part = await read(manifest.import_supplier_code);
  const lines = part.lines.map((line) => ({ ...line, account_import_id: idOf(manifest, line) }));
  const errors = [...part.errors, ...errorsOfRepeats(lines)];
  if (errors.length > 0) throw invalidLines(errors);
  return context.database.transaction(async (transaction) => {
    refuseParts(await findManifest({ ...context, database: transaction }, manifest_id, SHARE_MANIFEST));
    const { bytes, sha256: sha } = part;
    const at = context.clock();
    const figures = JSON.stringify(addLines(lines));
    const values = { id: manifest.id, number, bytes, lines: lines.length, sha, figures, at };
    const added = await transaction.query(ADD_MANIFEST_PART, values);
    if (added.length === 0)
      return { part: await samePart(transaction, { id: manifest.id, number, sha }), isNew: false };
    await addAccounts(transaction, manifest, { number, lines });
    return { part: { number, bytes, lines: lines.length, received_at: utcDatetime(at) }, isNew: true };
  });
}

function refuseParts({ state }: ManifestRow): void {
  if (state !== 'OPEN') throw manifestStateNotAllowed(state, 'takes no more parts');
}

function idOf({ import_supplier_code: code }: ManifestRow, { external_account_number: number }: NumberedLine): string {
  return accountImportId(code, number);
}

function invalidLines(errors: readonly FieldError[]): DomainError {
  const problems = errors.length === 1 ? '1 problem' : `${limitText(errors.length)} problems`;
  return new DomainError('manifest_lines_invalid', `The part has ${problems}, see errors.`, {
    errors: errors
      .slice(0, LIMITS.reported_errors)
      .map(({ detail, code, attr }) => ({ detail, code, attr: `lines.${attr}` })),
  });
}

/** Accounts that have a line of the same part already. */
function errorsOfRepeats(lines: readonly IdentifiedLine[]): FieldError[] {
  const first = new Map<string, number>();
  return lines.flatMap(({ account_import_id: id, number }) => {
    const before = first.get(id);
    if (before === undefined) first.set(id, number);
    return before === undefined ? [] : [repeated(number, `line ${before} of this part`)];
  });
}

function repeated(line: number, place: string): FieldError {
  const detail = `The account has its line already: ${place}.`;
  return { detail, code: 'duplicate_in_file', attr: `${line}.external_account_number` };
}

async function samePart(
  transaction: Queryable,
  { id, number, sha }: { id: string; number: number; sha: Uint8Array },
): Promise<BulkPart> {
  const [stored] = await transaction.query(READ_MANIFEST_PART, { id, number });
  if (stored === undefined || !stored.sha256.equals(sha)) {
    const detail = `Part ${number} was received before with other bytes.`;
    throw new DomainError('bulk_part_differs', detail, { attr: 'number' });
  }
  const { bytes, lines, received_at } = stored;
  return { number, bytes, lines, received_at: utcDatetime(received_at) };
}

async function addAccounts(
  transaction: Queryable,
  { id }: ManifestRow,
  { number, lines }: { number: number; lines: IdentifiedLine[] },
): Promise<void> {
  const rows = await transaction.query(ADD_MANIFEST_ACCOUNTS, { id, number, lines: JSON.stringify(lines) });
  if (rows.length === lines.length) return;
  const added = new Set(rows.map(({ account_import_id }) => account_import_id));
  const others = new Map(
    lines.filter((line) => !added.has(line.account_import_id)).map((line) => [line.account_import_id, line.number]),
  );
  const account_import_ids = [...others.keys()];
  const found = await transaction.query(FIND_MANIFEST_ACCOUNTS, { id, account_import_ids });
  const errors = found.map((row) => repeated(others.get(row.account_import_id) ?? 0, `part ${row.part}`));
  throw invalidLines(errors.toSorted((one, other) => Number.parseInt(one.attr, 10) - Number.parseInt(other.attr, 10)));
}

/** No row if the part is there; waits for one that is being stored. */
const ADD_MANIFEST_PART = sql('add-manifest-part', { number: 'integer' })`
  INSERT INTO manifest_parts (manifest_id, number, bytes, lines, sha256, figures, received_at)
  VALUES (${'id'}, ${'number'}, ${'bytes'}, ${'lines'}, ${'sha'}, ${'figures'}::jsonb, ${'at'})
  ON CONFLICT DO NOTHING
  RETURNING number`;

const READ_MANIFEST_PART = sql('read-manifest-part', {
  bytes: 'integer',
  lines: 'integer',
  sha256: 'bytea',
  received_at: 'timestamptz',
})`
  SELECT bytes, lines, sha256, received_at
  FROM manifest_parts
  WHERE manifest_id = ${'id'} AND number = ${'number'}`;

/** Those of the lines whose accounts have none yet. In the order of the ids: parts that name the same wait in order. */
const ADD_MANIFEST_ACCOUNTS = sql('add-manifest-accounts', { account_import_id: 'uuid' })`
  INSERT INTO manifest_accounts (
    manifest_id, account_import_id, part, external_account_number, transfer_balance, notes, transactions,
    transactions_sum, by_type, statements, statements_gross, payment_instruction, fingerprint
  )
  SELECT
    ${'id'}, account_import_id, ${'number'}, external_account_number, transfer_balance, notes, transactions,
    transactions_sum, by_type, statements, statements_gross, payment_instruction, fingerprint
  FROM jsonb_to_recordset(${'lines'}::jsonb) AS line (
    account_import_id uuid, external_account_number text, transfer_balance numeric, notes integer,
    transactions integer, transactions_sum numeric, by_type jsonb, statements integer, statements_gross numeric,
    payment_instruction boolean, fingerprint numeric
  )
  ORDER BY account_import_id
  ON CONFLICT DO NOTHING
  RETURNING account_import_id`;

/** Where accounts have their line. */
const FIND_MANIFEST_ACCOUNTS = sql('find-manifest-accounts', { account_import_id: 'uuid', part: 'integer' })`
  SELECT account_import_id, part
  FROM manifest_accounts
  WHERE manifest_id = ${'id'} AND account_import_id = ANY (${'account_import_ids'}::uuid[])`;
