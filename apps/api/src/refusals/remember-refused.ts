import {
  AccountPayload,
  FIELD_CODES,
  type FieldError,
  type ImportOperation,
  ImportPaymentInstructionRequest,
} from '@causeway/contracts';
import * as domain from '@causeway/domain';
import type { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import type { Context } from '../request/context.ts';
import type { SupplierField } from '../request/supplier-field.ts';

/** A call of a data-import procedure. */
export interface RefusedCall {
  /** Undefined for a procedure whose refusals are not remembered. */
  operation: Exclude<ImportOperation, 'dry_run'> | undefined;
  supplierField: SupplierField;
  ctx: Context;
  /** As it was sent. */
  input: unknown;
}

/**
 * Remembers that a call was refused (behaviour 4.15): the one place for REST, tRPC and batches. It is called outside
 * the call's transaction or, if the refusal is kept for repeats, in the one that keeps it. A refusal that says nothing
 * about the account's data leaves nothing, and neither does one that is repeated from a kept answer.
 */
export async function rememberRefused(call: RefusedCall, error: TRPCError): Promise<void> {
  const { operation, supplierField, ctx } = call;
  if (operation === undefined || ctx.response.kept !== undefined || !isAboutData(error, call)) return;
  const { [supplierField]: code, external_account_number: number, dry_run } = Object(call.input);
  const sent = AccountPayload.shape.external_account_number.safeParse(number);
  if (!sent.success || error.cause.errors.some(isInvalidNumber)) return;
  const importSupplier = await domain.findUsableImportSupplier(ctx, code);
  if (importSupplier === undefined) return;
  const key = domain.accountKey(importSupplier.code, sent.data);
  if (error.cause.code === 'dry_run_rolled_back') {
    await domain.resolveUnwritten(ctx, key.id, 'dry_run');
    return;
  }
  const { code: refusedWith, errors } = error.cause;
  const isDryRun = dry_run === true && operation !== 'validate' && operation !== 'stage';
  const refused = isDryRun ? 'dry_run' : operation;
  await domain.rememberRefusal(ctx, key, {
    operation: refused,
    code: refusedWith,
    errors,
    types: typesOf(refused, call),
  });
}

/** What a valid instruction is about: another one does not take its place. */
function typesOf(refused: ImportOperation, { input }: RefusedCall): string[] {
  const { data } = ImportPaymentInstructionRequest.shape.type.safeParse(Object(input).type);
  return refused === 'payment_instruction' && data !== undefined ? [data] : [];
}

/**
 * Not a failure of ours, a limit, or a key that another request has. A payment instruction that its vendor could not
 * confirm is not stored: unless it is sent again, the account lacks it.
 */
function isAboutData(
  error: TRPCError,
  { operation, input }: RefusedCall,
): error is TRPCError & { cause: domain.DomainError } {
  if (!(error.cause instanceof domain.DomainError)) return false;
  const isUnconfirmed = error.cause.code === 'payment_vendor_unavailable' && operation === 'payment_instruction';
  if (isUnconfirmed) return Object(input).dry_run !== true;
  return [400, 404].includes(getHTTPStatusCodeFromError(error));
}

/** The account number itself is refused, not what was sent for it. */
function isInvalidNumber({ attr, code }: FieldError): boolean {
  return attr === 'external_account_number' && Object.hasOwn(FIELD_CODES, code);
}
