import {
  type DomainCode,
  type FieldError,
  fieldErrorsOf,
  fieldsToKeep,
  findUndocumentedFields,
  LIMITS,
  limitText,
  tooMuchToKeep,
  withoutEmptyFields,
} from '@causeway/contracts';
import { DomainError, dayIn, findUsableImportSupplier } from '@causeway/domain';
import type { CheckAccountOptions, CheckBalanceOptions, CheckStatementsOptions } from '@causeway/rules';
import type { ProcedureType, TRPCError } from '@trpc/server';
import { z } from 'zod';
import { addUndocumentedFields } from '../answers/undocumented-fields-header.ts';
import type { Context } from '../request/context.ts';
import { supplierFieldOf } from '../request/supplier-field.ts';

/** What the rules depend on besides the input. */
type RuleOptions = CheckAccountOptions & CheckBalanceOptions & CheckStatementsOptions;

/** What a data-import procedure checks beside its schema, and how it refuses. */
export interface SupplierProcedureOptions {
  /** The top-level code of a payload that fails validation. */
  failureCode?: DomainCode;
  /** Whether undocumented fields are kept with what it stores, where the import supplier's are (behaviour 2.2.12). */
  keeps?: boolean;
  /** Rules beyond the schema, which depend on the import supplier or on the time. */
  rules?: (input: unknown, options: RuleOptions) => FieldError[];
  /** Faults of new identifiers in the input: this needs a look-up, because stored identifiers keep their names. */
  names?: (ctx: Context, input: unknown) => Promise<FieldError[]>;
  /** Fields of a validation failure's body in addition to its errors. */
  failureExtra?: (sent: unknown, errors: FieldError[]) => Record<string, unknown>;
}

/** What a call is done with. */
export interface CheckedInput {
  input: unknown;
  undocumented: string | undefined;
}

/**
 * Checks in addition to the schema; their problems are reported together with the schema's. It returns the input that
 * counts: as it was sent, or, where the import supplier's empty fields mean that they are omitted, without them. With
 * it come the undocumented fields to keep.
 */
export function checkOf(schema: z.ZodObject, options: SupplierProcedureOptions) {
  const { rules, names, keeps } = options;
  const supplierField = supplierFieldOf(schema);
  return async (ctx: Context, sent: unknown, type: ProcedureType): Promise<CheckedInput> => {
    const undocumented = findUndocumentedFields(schema, sent);
    addUndocumentedFields(ctx.response, undocumented);
    const importSupplier = await findUsableImportSupplier(ctx, Object(sent)[supplierField]);
    if (importSupplier !== undefined && !ctx.batched) {
      const { external_account_number: accountNumber } = Object(sent);
      ctx.noteSubject?.({ importSupplier: importSupplier.code, accountNumber });
    }
    const omits = type === 'mutation' && importSupplier?.empty_means_omitted;
    const input = omits ? withoutEmptyFields(schema, sent) : sent;
    const found = [dryRunsThatAreNone(schema, ctx, sent)];
    if (importSupplier !== undefined) {
      found.push(
        rules?.(input, { importSupplier, today: dayIn(ctx.timeZone, ctx.clock()) }) ?? [],
        (await names?.(ctx, input)) ?? [],
      );
    }
    if (importSupplier?.undocumented_fields === 'REJECT') {
      found.push([...ctx.undocumentedParameters, ...(undocumented?.paths ?? [])].map(undocumentedField));
    }
    const isKept = keeps && importSupplier?.undocumented_fields === 'KEEP' && undocumented !== undefined;
    const kept = isKept ? fieldsToKeep(schema, sent) : undefined;
    if (kept?.tooLargeAt !== undefined) found.push([tooMuchToKeep(kept.tooLargeAt)]);
    if (found.some((errors) => errors.length > 0)) {
      const parsed = schema.safeParse(input);
      // Each of these sources, other than the schema, stops at as many problems as are reported.
      const hasMore = found.some((errors) => errors.length >= LIMITS.reported_errors);
      const all = [...(parsed.success ? [] : allErrorsOf(parsed.error, input)), ...found.flat()];
      throw refusalOf(options, sent, { all, hasMore });
    }
    return { input, undocumented: kept?.json };
  };
}

/** The problems of an input, and whether there are more than were looked for. */
export interface FoundProblems {
  all: FieldError[];
  hasMore?: boolean;
}

/** All problems in one answer, without duplicates. */
export function refusalOf(options: SupplierProcedureOptions, sent: unknown, found: FoundProblems): DomainError {
  const { failureCode = 'request_failed_validation', failureExtra } = options;
  const all = withoutRepeats(found.all);
  const errors = all.slice(0, LIMITS.reported_errors);
  const detail = failureSentence(all, found.hasMore || undefined);
  return new DomainError(failureCode, detail, { errors, extra: failureExtra?.(sent, errors) ?? {} });
}

/** All problems that its schema finds, as far as they are counted. */
export function allErrorsOf(error: z.core.$ZodError, input: unknown): FieldError[] {
  return fieldErrorsOf(error, input, LIMITS.counted_errors);
}

const DRY_RUN = 'dry_run';

/**
 * The word `dry_run` where it has no effect: whoever sends it expects that nothing is stored, so that it is refused
 * whatever the import supplier accepts (behaviour 4.14).
 */
function dryRunsThatAreNone(schema: z.ZodObject, ctx: Context, input: unknown): FieldError[] {
  const hasOne = DRY_RUN in schema.shape;
  const isSent = typeof input === 'object' && Object.hasOwn(Object(input), DRY_RUN);
  if (!ctx.undocumentedParameters.includes(DRY_RUN) && (hasOne || !isSent)) return [];
  const detail = hasOne
    ? '`dry_run` belongs in the body of this request. Nothing was done.'
    : 'This call has no dry run. Nothing was done.';
  return [{ detail, code: 'undocumented_field', attr: DRY_RUN }];
}

/** An output that fails its schema is our own error, with another code. */
export function isBadInput(error: TRPCError): error is TRPCError & { cause: z.core.$ZodError } {
  return error.code === 'BAD_REQUEST' && error.cause instanceof z.core.$ZodError;
}

/** The refusal of an input that was checked by its schema only. */
export function refusedInput(error: z.core.$ZodError, input: unknown): DomainError {
  const all = allErrorsOf(error, input);
  const errors = all.slice(0, LIMITS.reported_errors);
  return new DomainError('request_failed_validation', failureSentence(all), { errors });
}

/** A rule may find the same problem as the schema; its own sentence is more helpful. */
function withoutRepeats(errors: FieldError[]): FieldError[] {
  return [...new Map(errors.map((error) => [`${error.code} ${error.attr}`, error])).values()];
}

function undocumentedField(attr: string): FieldError {
  return {
    detail: 'This field is not documented, and this import supplier refuses such fields.',
    code: 'undocumented_field',
    attr,
  };
}

function failureSentence(errors: FieldError[], hasMore = errors.length >= LIMITS.counted_errors): string {
  const [first] = errors;
  if (first?.attr === '') {
    return first.code === 'required' ? 'The payload is missing.' : 'The payload must be an object.';
  }
  if (errors.length === 1 && first !== undefined) return `The payload failed validation: ${first.attr}.`;
  // Repeats are left out: of very many that were found a few may remain, which are all shown.
  const isAll = errors.length < LIMITS.reported_errors || (errors.length === LIMITS.reported_errors && !hasMore);
  const count = `${hasMore ? 'at least ' : ''}${limitText(errors.length)} problems`;
  const problems = isAll ? count : `the first ${LIMITS.reported_errors} of ${count}`;
  return `The payload failed validation: ${problems}, see errors.`;
}
