import { AccountPayload, FIELD_CODES, type FieldError, ImportPaymentInstructionRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import type { Call } from './meta.ts';
import { statusOf } from './reply.ts';

/**
 * Remembers that a call was refused (behaviour 4.15). It is called outside the call's transaction or, if the refusal is
 * kept for repeats, in the one that keeps it. A refusal that says nothing about the account's data leaves nothing.
 */
export async function rememberRefusal(call: Call, error: unknown): Promise<void> {
  const { procedure, sent, context } = call;
  const { supplierField } = procedure;
  const { operation } = procedure.meta;
  if (operation === undefined || !isAboutData(call, error)) return;
  const { [supplierField]: code, external_account_number: number, dry_run } = Object(sent);
  const account = AccountPayload.shape.external_account_number.safeParse(number);
  if (!account.success || error.errors.some(isInvalidNumber)) return;
  const importSupplier = await domain.findUsableImportSupplier(context, code);
  if (importSupplier === undefined) return;
  const key = domain.accountKey(importSupplier.code, account.data);
  if (error.code === 'dry_run_rolled_back') {
    await domain.resolveUnwritten(context, key.id, 'dry_run');
    return;
  }
  const isDryRun = dry_run === true && operation !== 'validate' && operation !== 'stage';
  const refused = isDryRun ? 'dry_run' : operation;
  await domain.rememberRefusal(context, key, {
    operation: refused,
    code: error.code,
    errors: error.errors,
    types: refused === 'payment_instruction' ? typesOf(sent) : [],
  });
}

/** What a valid instruction is about: another one does not take its place. */
function typesOf(sent: unknown): string[] {
  const { data } = ImportPaymentInstructionRequest.shape.type.safeParse(Object(sent).type);
  return data === undefined ? [] : [data];
}

/**
 * Not a failure of ours, a limit, or a key that another request has. A payment instruction that its vendor could not
 * confirm is not stored: unless it is sent again, the account lacks it.
 */
function isAboutData({ procedure, sent }: Call, error: unknown): error is domain.DomainError {
  if (!(error instanceof domain.DomainError)) return false;
  const isUnconfirmed =
    error.code === 'payment_vendor_unavailable' && procedure.meta.operation === 'payment_instruction';
  if (isUnconfirmed) return Object(sent).dry_run !== true;
  return [400, 404].includes(statusOf(procedure, error));
}

/** The account number itself is refused, not what was sent for it. */
function isInvalidNumber({ attr, code }: FieldError): boolean {
  return attr === 'external_account_number' && Object.hasOwn(FIELD_CODES, code);
}
