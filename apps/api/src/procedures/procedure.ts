import { type ErrorCode, type FieldError, fieldErrorsOf, LIMITS, undocumentedFields } from '@causeway/contracts';
import {
  type AccountRulesOptions,
  type Context as DomainContext,
  DomainError,
  dayIn,
  findUsableImportSupplier,
  type NoteRulesOptions,
  utcDatetime,
} from '@causeway/domain';
import { initTRPC, type TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { errorBodyOf } from '../answers/error-bodies.ts';
import type { InBatch } from '../overload/batches.ts';
import { unusableKey } from '../rest/idempotency.ts';
import { trpcErrorOf, trpcErrorShape } from '../trpc/errors.ts';
import { answerMarked } from '../trpc/idempotency.ts';

/** What a procedure and its middleware say about the HTTP response, beside the body. */
export interface ResponseNotes {
  /** In place of the procedure's usual success status. */
  status?: number;
  /** Dotted paths of what was sent and is not documented (design 4.3). */
  undocumentedFields: string[];
  /** The headers of an answer that was given before. */
  replayedHeaders?: Record<string, string>;
}

/** What every procedure gets: the use cases' context, and where to note what the response should show. */
export interface Context extends DomainContext {
  response: ResponseNotes;
  /** What REST was sent beside the input, in the query for instance, and is not documented there. */
  undocumentedParameters: readonly string[];
  /** Runs a call of a tRPC batch when it is its turn; absent for a call that came alone. */
  inBatch?: InBatch | undefined;
  /** Makes this instance look an API key up again at its next use. */
  forgetApiKey: (id: string) => void;
  /** The Idempotency-Key of a request over tRPC; over REST the mount sees to it. */
  idempotencyKey?: string | undefined;
  /** The request brings other calls too. */
  batched?: boolean | undefined;
}

/** What a procedure declares about itself for REST and for the published document. */
export interface ProcedureMeta extends OpenApiMeta {
  successStatus?: 200 | 201;
  /** Another success status that a call can have, set in `response.status`. */
  alternativeSuccess?: { status: 200; description: string };
  /** The refusals it documents beyond those every procedure has. */
  errors?: readonly ErrorCode[];
  /** Of those, the ones that are a 404 here: the code's usual status is another one. */
  notFound?: readonly ErrorCode[];
  /** The names of the inputs that a POST takes from its query string. */
  queryParameters?: readonly string[];
  /** It asks another service: with an Idempotency-Key no transaction may be open around it. */
  outsideTransaction?: boolean;
  /** Repeating it is harmless and its answer is not to be kept: an Idempotency-Key is ignored. */
  storesNothing?: boolean;
  /** A list whose REST form without `limit` is every page of it, streamed. */
  streamed?: boolean;
}

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ error, path }) =>
      trpcErrorShape({ body: errorBodyOf(error).body, status: getHTTPStatusCodeFromError(error) }, path),
  });

export const router = t.router;

// Whatever goes wrong in a procedure leaves as one kind of error, with the status this procedure gives its code.
const procedure = t.procedure.use(async ({ ctx, next, meta, getRawInput }) => {
  const result = await (ctx.inBatch?.(next) ?? next()).catch((error: unknown) => {
    throw trpcErrorOf(error);
  });
  if (result.ok) {
    return result;
  }
  const { error } = result;
  throw trpcErrorOf(isBadInput(error) ? refusedInput(error.cause, await getRawInput()) : error, meta?.notFound);
});

/**
 * A schema that types and documents what a procedure answers, without parsing it: the tests hold every answer against
 * the published document, and parsing our own output again was 5 % of a request.
 */
export function answers<Schema extends z.ZodType>(schema: Schema): Schema {
  const asIs = (output: unknown) => output;
  return Object.assign(Object.create(schema), { parse: asIs, parseAsync: asIs, documents: schema });
}

/** A procedure of the service team: an import supplier's token gets `permission_denied`. */
export const staffProcedure = procedure.use(({ ctx, next, type }) => {
  if (ctx.actor.kind !== 'staff') {
    throw new DomainError('permission_denied', 'This procedure is open to the service team only.');
  }
  if (type === 'mutation' && ctx.idempotencyKey !== undefined) {
    // Its answers may hold secrets, which are not kept.
    throw unusableKey('This procedure takes no key.');
  }
  return next();
});

export interface SupplierProcedureOptions {
  /** The top-level code of a payload that fails validation. */
  failureCode?: ErrorCode;
  /** Rules beyond the schema, which depend on the import supplier or on the time. */
  rules?: (input: unknown, options: AccountRulesOptions & NoteRulesOptions) => FieldError[];
  /** What is wrong with what the input names anew: this is looked up, since what is stored already keeps its name. */
  names?: (ctx: Context, input: unknown) => Promise<FieldError[]>;
  /** What the body of a validation failure says beside its errors. */
  failureExtra?: (input: unknown, errors: FieldError[]) => Record<string, unknown>;
}

/**
 * A data-import procedure, for an import supplier's token or a staff token. All problems of the input are reported at
 * once: the schema's, those of `rules` and `names`, and undocumented fields where the import supplier refuses them.
 */
export function supplierProcedure<Schema extends z.ZodObject>(schema: Schema, options: SupplierProcedureOptions = {}) {
  const check = checkOf(schema, options);
  // One middleware, since tRPC copies its options four times for each.
  return t.procedure
    .use(async ({ ctx, getRawInput, next, meta, path, type }) => {
      const run = async (context: Context) => {
        try {
          const answer = async () => {
            await check(context, await getRawInput());
            return context === ctx ? next() : next({ ctx: context });
          };
          // Nothing is waited for before: the calls of a batch get their places in the order in which they come here.
          const result = await (ctx.inBatch?.(answer) ?? answer());
          if (result.ok) {
            return result;
          }
          const { error } = result;
          if (!isBadInput(error)) throw error;
          const input = await getRawInput();
          throw refusalOf(options, input, fieldErrorsOf(error.cause, input));
        } catch (error) {
          throw trpcErrorOf(error, meta?.notFound);
        }
      };
      const key = type === 'mutation' && !meta?.storesNothing ? ctx.idempotencyKey : undefined;
      return key === undefined ? run(ctx) : answerMarked({ key, path, meta, ctx, input: await getRawInput(), run });
    })
    .input(schema);
}

/** What is to be checked beside the schema; where that finds problems, the schema's are reported with them. */
function checkOf(schema: z.ZodObject, options: SupplierProcedureOptions) {
  const { rules, names } = options;
  // The other name would be an undocumented field: it must not choose the rules that the payload is held to.
  const supplierField = 'import_supplier' in schema.shape ? 'import_supplier' : 'import_supplier_code';
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

function refusalOf(options: SupplierProcedureOptions, input: unknown, found: FieldError[]): DomainError {
  const { failureCode = 'request_failed_validation', failureExtra } = options;
  const errors = withoutRepeats(found).slice(0, LIMITS.reported_errors);
  return new DomainError(failureCode, failureSentence(errors), { errors, extra: failureExtra?.(input, errors) ?? {} });
}

function timeOf({ clock, timeZone }: Context): { today: string; now: string } {
  const instant = clock();
  return { today: dayIn(timeZone, instant), now: utcDatetime(instant) };
}

// An output that fails its schema is an error of ours, with another code.
function isBadInput(error: TRPCError): error is TRPCError & { cause: z.core.$ZodError } {
  return error.code === 'BAD_REQUEST' && error.cause instanceof z.core.$ZodError;
}

function refusedInput(error: z.core.$ZodError, input: unknown): DomainError {
  const errors = fieldErrorsOf(error, input);
  return new DomainError('request_failed_validation', failureSentence(errors), { errors });
}

/** A rule may find what the schema found already; its own words are the more helpful ones. */
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
