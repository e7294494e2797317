import { AccountPayload, type FieldError, LIMITS } from '@causeway/contracts';
import type { SqlStatement } from '@causeway/db';
import { faultyIdentifiers, type NamedIdentifiers } from '@causeway/rules';
import type { Context } from './context.ts';
import { accountImportId } from './derived-id.ts';

/** The identifiers of a request, and how to find out which of them are stored already. */
interface Identifiers extends NamedIdentifiers {
  /** Which of the `identifiers` the account import has; none if it is left out. */
  known?: SqlStatement<{ identifier: string }, 'account_import_id' | 'identifiers'> | undefined;
}

/**
 * The faults of identifiers that would be new. A stored identifier keeps the form that earlier rules accepted, so that
 * its repeat is recognised. Identifiers are never removed: one that is stored now is still stored at the time of the
 * import.
 */
export async function faultsOfNewIdentifiers(
  context: Context,
  request: unknown,
  { known, ...named }: Identifiers,
): Promise<FieldError[]> {
  const faulty = faultyIdentifiers(named);
  if (faulty.length === 0) {
    return [];
  }
  const account_import_id = idOf(request);
  const rows =
    account_import_id === undefined || known === undefined
      ? []
      : await context.database.query(known, { account_import_id, identifiers: faulty.map(({ value }) => value) });
  const stored = new Set<unknown>(rows.map(({ identifier }) => identifier));
  const found = faulty.filter(({ value }) => !stored.has(value));
  return found.slice(0, LIMITS.reported_errors).map(({ error }) => error);
}

function idOf(request: unknown): string | undefined {
  const { import_supplier, external_account_number } = AccountPayload.shape;
  const sent = Object(request);
  const supplier = import_supplier.safeParse(sent.import_supplier);
  const number = external_account_number.safeParse(sent.external_account_number);
  return supplier.success && number.success ? accountImportId(supplier.data, number.data) : undefined;
}
