import { accept, type DomainCode, type FieldError, findUndocumentedFields } from '@causeway/contracts';
import { DomainError, dayIn, findUsableImportSupplier } from '@causeway/domain';
import {
  allErrorsOf,
  checkRequest,
  type FoundProblems,
  problemsOf,
  type RequestChecks,
  refusedFields,
} from '@causeway/rules';
import type { ProcedureType, TRPCError } from '@trpc/server';
import { z } from 'zod';
import { addUndocumentedFields } from '../answers/undocumented-fields-header.ts';
import type { Context } from '../request/context.ts';
import { supplierFieldOf } from '../request/supplier-field.ts';

/** What a data-import procedure checks beside its schema, and how it refuses. */
export interface SupplierProcedureOptions extends RequestChecks {
  /** The top-level code of a payload that fails validation. */
  failureCode?: DomainCode;
  /** Faults of new identifiers in the input: this needs a look-up, because stored identifiers keep their names. */
  names?: (ctx: Context, input: unknown) => Promise<FieldError[]>;
  /** Fields of a validation failure's body in addition to its errors. */
  failureExtra?: (sent: unknown, errors: FieldError[]) => Record<string, unknown>;
}

/** What a call is done with. */
interface CallInput {
  input: unknown;
  undocumented: string | undefined;
}

/** Inputs that were found to be as their schema gives them, until tRPC asks for it. */
const acceptedInputs = new WeakMap<object, object>();

/** The schema, which tRPC asks again: of an input that was checked it is known what it gives. */
export function asChecked<Schema extends z.ZodObject>(schema: Schema): Schema {
  const { parseAsync } = schema;
  schema.parseAsync = async (input, params) =>
    (acceptedInputs.get(Object(input)) as z.output<Schema> | undefined) ?? parseAsync(input, params);
  return schema;
}

/**
 * Checks in addition to the schema; their problems are reported together with the schema's. It returns the input that
 * counts: as it was sent, or, where the import supplier's empty fields mean that they are omitted, without them. With
 * it come the undocumented fields to keep.
 */
export function checkOf(schema: z.ZodObject, options: SupplierProcedureOptions) {
  const { names } = options;
  const supplierField = supplierFieldOf(schema);
  return async (ctx: Context, sent: unknown, type: ProcedureType): Promise<CallInput> => {
    const read = accept(schema, sent);
    const undocumented = read?.isDocumented ? undefined : findUndocumentedFields(schema, sent);
    addUndocumentedFields(ctx.response, undocumented);
    const importSupplier = await findUsableImportSupplier(ctx, Object(sent)[supplierField]);
    if (importSupplier !== undefined && !ctx.batched) {
      const { external_account_number: accountNumber } = Object(sent);
      ctx.noteSubject?.({ importSupplier: importSupplier.code, accountNumber });
    }
    const { undocumentedParameters } = ctx;
    const received = { sent, undocumented, undocumentedParameters, isRead: type !== 'mutation' };
    const today = dayIn(ctx.timeZone, ctx.clock());
    const checked = checkRequest(schema, received, { ...options, importSupplier, today });
    if (importSupplier !== undefined) checked.found.push((await names?.(ctx, checked.input)) ?? []);
    const problems = problemsOf(schema, checked);
    if (problems !== undefined) throw refusalOf(options, sent, problems);
    const { input, kept } = checked;
    if (input === sent && read !== undefined) acceptedInputs.set(Object(sent), read.value);
    return { input, undocumented: kept };
  };
}

/** The refusal of an input with problems. */
export function refusalOf(options: SupplierProcedureOptions, sent: unknown, found: FoundProblems): DomainError {
  const { failureCode = 'request_failed_validation', failureExtra } = options;
  const { detail, errors } = refusedFields(found);
  return new DomainError(failureCode, detail, { errors, extra: failureExtra?.(sent, errors) ?? {} });
}

/** An output that fails its schema is our own error, with another code. */
export function isBadInput(error: TRPCError): error is TRPCError & { cause: z.core.$ZodError } {
  return error.code === 'BAD_REQUEST' && error.cause instanceof z.core.$ZodError;
}

/** The refusal of an input that was checked by its schema only. */
export function refusedInput(error: z.core.$ZodError, input: unknown): DomainError {
  return refusalOf({}, input, { all: allErrorsOf(error, input) });
}
