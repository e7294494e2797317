import { faultOfIdentifier, type ImportOperation } from '@causeway/contracts';
import type { AccountKey } from '../account-key.ts';
import { auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { kindsOf, type RefusedField, refusedFields } from './refused-fields.ts';
import { REMEMBER_REFUSALS } from './remember-refusal.sql.ts';

/** A call that was refused: the code of its answer, and of each field at fault its code and path. */
export interface Refusal {
  operation: ImportOperation;
  code: string;
  errors: readonly RefusedField[];
  /** Of payment instructions, in the order in which they were sent; undefined for one that is no type. */
  types?: readonly (string | undefined)[] | undefined;
  /** They were to come with the account itself. */
  carriesAccount?: boolean;
}

/** A refusal, and whose it is. */
export interface RefusedImport extends Refusal {
  /** Of the call that was refused. */
  context: Context;
  key: AccountKey;
}

/**
 * Remembers a refusal of an account import (behaviour 4.15), outside the transaction that was refused or, if the refusal
 * is kept for repeats, in the one that keeps it. It stays open until the operation succeeds: the order in which the
 * refusal and the success are committed decides. A refusal is answered after it is remembered, so that a call that begins
 * after the answer comes later.
 */
export async function rememberRefusal(context: Context, key: AccountKey, refusal: Refusal): Promise<void> {
  await rememberRefusals(context, [{ context, key, ...refusal }]);
}

/** The same of several account imports, each refused once. */
export async function rememberRefusals(
  { database }: Pick<Context, 'database'>,
  refused: readonly RefusedImport[],
): Promise<void> {
  if (refused.length === 0) return;
  const calls = refused.map(({ context, key, operation, code, errors, types = [], carriesAccount = false }) => {
    const fields = refusedFields(errors);
    return {
      ...auditValues(context, key.id),
      ...key,
      step: operation,
      code,
      errors: fields,
      problems: kindsOf(code, fields),
      ...typesOf(types, errors),
      carries_account: carriesAccount,
      // A number that no account can be staged with is remembered only if one was, under earlier rules.
      must_be_staged: faultOfIdentifier(key.external_account_number) !== undefined,
    };
  });
  await database.query(REMEMBER_REFUSALS, { calls: JSON.stringify(calls) });
}

const TYPE_AT_FAULT = /^(?:payment_instructions\.(\d+)\.|payment_instruction\.)?type$/;

/**
 * A type that is itself at fault is not what the account lacks: it is sent as another one, or not at all. An undocumented
 * `type` is a field of the line, not of an instruction.
 */
function typesOf(types: readonly (string | undefined)[], errors: readonly RefusedField[]) {
  const documented = errors.filter(({ code }) => code !== 'undocumented_field');
  const atFault = new Set(
    documented.flatMap(({ attr }) => TYPE_AT_FAULT.exec(attr)?.slice(1) ?? []).map((at) => Number(at ?? 0)),
  );
  const lacking = types.filter((type, index) => type !== undefined && !atFault.has(index));
  const mistaken = types.filter((type, index) => type !== undefined && atFault.has(index));
  return {
    ...(lacking.length > 0 && { detail: Object.fromEntries(lacking.map((type) => [type, 'refused'])) }),
    ...(mistaken.length > 0 && { mistaken_types: mistaken }),
  };
}
