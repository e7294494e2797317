import { type DomainCode, type FieldError, fieldErrorsOf, LIMITS, undocumentedFields } from '@causeway/contracts';
import { DomainError, dayIn, findUsableImportSupplier, utcDatetime } from '@causeway/domain';
import type { CheckAccountOptions, CheckNotesOptions } from '@causeway/rules';
import type { TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { Context } from '../request/context.ts';
import { supplierFieldOf } from '../request/supplier-field.ts';

/** What a data-import procedure checks beside its schema, and how it refuses. */
export interface SupplierProcedureOptions {
  /** The top-level code of a payload that fails validation. */
  failureCode?: DomainCode;
  /** Rules beyond the schema, which depend on the import supplier or on the time. */
  rules?: (input: unknown, options: CheckAccountOptions & CheckNotesOptions) => FieldError[];
  /** Faults of new identifiers in the input: this needs a look-up, because stored identifiers keep their names. */
  names?: (ctx: Context, input: unknown) => Promise<FieldError[]>;
  /** Fields of a validation failure's body in addition to its errors. */
  failureExtra?: (input: unknown, errors: FieldError[]) => Record<string, unknown>;
}

/** Checks in addition to the schema; their problems are reported together with the schema's. */
export function checkOf(schema: z.ZodObject, options: SupplierProcedureOptions) {
  const { rules, names } = options;
  const supplierField = supplierFieldOf(schema);
  return async (ctx: Context, input: unknown): Promise<void> => {
    const undocumented = undocumentedFields(schema, input);
    ctx.response.undocumentedFields.push(...undocumented);
    const importSupplier = await findUsableImportSupplier(ctx, Object(input)[supplierField]);
    const errors: FieldError[] = [];
    if (importSupplier !== undefined) {
      errors.push(...(rules?.(input, { importSupplier, ...timeOf(ctx) }) ?? []));
      errors.push(...((await names?.(ctx, input)) ?? []));
    }
    if (importSupplier?.reject_undocumented_fields) {
      errors.push(...[...ctx.undocumentedParameters, ...undocumented].map(undocumentedField));
    }
    if (errors.length > 0) {
      const parsed = schema.safeParse(input);
      throw refusalOf(options, input, [...(parsed.success ? [] : fieldErrorsOf(parsed.error, input)), ...errors]);
    }
  };
}

/** All problems in one answer, without duplicates. */
export function refusalOf(options: SupplierProcedureOptions, input: unknown, found: FieldError[]): DomainError {
  const { failureCode = 'request_failed_validation', failureExtra } = options;
  const errors = withoutRepeats(found).slice(0, LIMITS.reported_errors);
  return new DomainError(failureCode, failureSentence(errors), { errors, extra: failureExtra?.(input, errors) ?? {} });
}

function timeOf({ clock, timeZone }: Context): { today: string; now: string } {
  const instant = clock();
  return { today: dayIn(timeZone, instant), now: utcDatetime(instant) };
}

/** An output that fails its schema is our own error, with another code. */
export function isBadInput(error: TRPCError): error is TRPCError & { cause: z.core.$ZodError } {
  return error.code === 'BAD_REQUEST' && error.cause instanceof z.core.$ZodError;
}

/** The refusal of an input that was checked by its schema only. */
export function refusedInput(error: z.core.$ZodError, input: unknown): DomainError {
  const errors = fieldErrorsOf(error, input);
  return new DomainError('request_failed_validation', failureSentence(errors), { errors });
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

function failureSentence(errors: FieldError[]): string {
  const [first] = errors;
  if (first?.attr === '') {
    return first.code === 'required' ? 'The payload is missing.' : 'The payload must be an object.';
  }
  return errors.length === 1 && first !== undefined
    ? `The payload failed validation: ${first.attr}.`
    : `The payload failed validation: ${errors.length} problems, see errors.`;
}
