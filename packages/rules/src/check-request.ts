import {
  type FieldError,
  fieldsToKeep,
  LIMITS,
  tooMuchToKeep,
  type UndocumentedFields,
  withoutEmptyFields,
} from '@causeway/contracts';
import type { z } from 'zod';
import type { CheckAccountOptions } from './check-account.ts';
import type { CheckStatementsOptions } from './check-statements.ts';
import type { CheckZeroAmountsOptions } from './check-zero-amounts.ts';
import { allErrorsOf, type FoundProblems } from './refused-fields.ts';
import { type FindRemarks, type RemarkSettings, refusedRemarks } from './remarks/decide-remarks.ts';

/** What the rules depend on besides the request. */
export type RuleOptions = CheckAccountOptions & CheckStatementsOptions & CheckZeroAmountsOptions;

/** What a request is checked for beside its schema. */
export interface RequestChecks {
  /** Whether undocumented fields are kept with what it stores, where the import supplier's are (behaviour 2.2.12). */
  keeps?: boolean;
  /** Rules beyond the schema, which depend on the import supplier or on the time. */
  rules?: (input: unknown, options: RuleOptions) => FieldError[];
  /** What is doubtful about it beside its texts. */
  remarks?: FindRemarks;
}

/** A request as it arrived. */
export interface ReceivedRequest {
  sent: unknown;
  undocumented: UndocumentedFields | undefined;
  /** Undocumented input outside `sent`, for instance in a query string. */
  undocumentedParameters?: readonly string[];
  /** One that only reads. */
  isRead?: boolean;
}

/** What the answer to a request depends on besides the request. */
export interface RequestOptions extends Omit<RuleOptions, 'importSupplier'> {
  /** Undefined if the request names none that its caller can use: what depends on it is not checked. */
  importSupplier: (RuleOptions['importSupplier'] & RemarkSettings & { empty_means_omitted: boolean }) | undefined;
}

/** A request that was checked beside its schema. */
export interface CheckedInput {
  /** The input that counts: as it was sent, or, where empty fields mean that they are omitted, without them. */
  input: unknown;
  /** The JSON of the undocumented fields to keep. */
  kept: string | undefined;
  /** The problems by their source, each up to the reported maximum. */
  found: FieldError[][];
}

/** Checks a request beside its schema: every pure rule of behaviour 2 and 4 that its schema does not have. */
export function checkRequest(
  schema: z.ZodObject,
  { sent, undocumented, undocumentedParameters = [], isRead = false }: ReceivedRequest,
  { importSupplier, today, keeps, rules, remarks }: RequestOptions & RequestChecks,
): CheckedInput {
  const input = importSupplier?.empty_means_omitted && !isRead ? withoutEmptyFields(schema, sent) : sent;
  const found = [dryRunsThatAreNone(schema, sent, undocumentedParameters)];
  if (importSupplier === undefined) return { input, kept: undefined, found };
  found.push(rules?.(input, { importSupplier, today }) ?? []);
  if (!isRead)
    found.push(
      refusedRemarks({ request: input, mayHaveDoubtfulText: true, settings: importSupplier, today, find: remarks }),
    );
  const mode = importSupplier.undocumented_fields;
  if (mode === 'REJECT') {
    found.push([...undocumentedParameters, ...(undocumented?.paths ?? [])].map(undocumentedField));
  }
  const kept = keeps && mode === 'KEEP' && undocumented !== undefined ? fieldsToKeep(schema, sent) : undefined;
  if (kept?.tooLargeAt !== undefined) found.push([tooMuchToKeep(kept.tooLargeAt)]);
  return { input, kept: kept?.json, found };
}

/** The problems that were found, with those of the schema; undefined if none were. */
export function problemsOf(schema: z.ZodObject, { input, found }: CheckedInput): FoundProblems | undefined {
  if (found.every((errors) => errors.length === 0)) return undefined;
  const parsed = schema.safeParse(input);
  return {
    all: [...(parsed.success ? [] : allErrorsOf(parsed.error, input)), ...found.flat()],
    hasMore: found.some((errors) => errors.length >= LIMITS.reported_errors),
  };
}

const DRY_RUN = 'dry_run';

/**
 * The word `dry_run` where it has no effect: anyone who sends it expects that nothing is stored, so that it is refused
 * whatever the import supplier accepts (behaviour 4.14).
 */
function dryRunsThatAreNone(schema: z.ZodObject, sent: unknown, parameters: readonly string[]): FieldError[] {
  const hasOne = DRY_RUN in schema.shape;
  const isSent = typeof sent === 'object' && Object.hasOwn(Object(sent), DRY_RUN);
  if (!parameters.includes(DRY_RUN) && (hasOne || !isSent)) return [];
  const detail = hasOne
    ? '`dry_run` belongs in the body of this request. Nothing was done.'
    : 'This call has no dry run. Nothing was done.';
  return [{ detail, code: 'undocumented_field', attr: DRY_RUN }];
}

function undocumentedField(attr: string): FieldError {
  return {
    detail: 'This field is not documented, and this import supplier refuses such fields.',
    code: 'undocumented_field',
    attr,
  };
}
