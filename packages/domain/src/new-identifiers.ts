import { AccountPayload, type FieldError, faultOfIdentifier, LIMITS, type TextFault } from '@causeway/contracts';
import type { SqlStatement } from '@causeway/db';
import type { Context } from './context.ts';
import { accountImportId } from './derived-id.ts';

/** The identifiers of a request as they were sent, and how to find out which of them are stored already. */
export interface NamedIdentifiers {
  identifiers: readonly { attr: string; value: unknown }[];
  /** The schema; what it refuses is skipped, because it has been reported. */
  schema: typeof AccountPayload.shape.external_account_number;
  /** A further fault of a new identifier of this kind. */
  faultOf?: ((value: string) => TextFault | undefined) | undefined;
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
  { identifiers, schema, known, faultOf }: NamedIdentifiers,
): Promise<FieldError[]> {
  const longest = schema.maxLength ?? 0;
  const faulty = identifiers.flatMap(({ attr, value }) => {
    // Checks the length first: checking the characters takes time, and the schema refuses text that is too long.
    const fault =
      typeof value === 'string' && value.length <= longest ? (faultOfIdentifier(value) ?? faultOf?.(value)) : undefined;
    // In this order: faults are rare, and the schema is the more expensive check.
    return fault === undefined || !schema.safeParse(value).success ? [] : [{ value, error: { ...fault, attr } }];
  });
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
