import { type ErrorCode, type FieldError, fieldErrorsOf, undocumentedFields } from '@causeway/contracts';
import { type Context as DomainContext, DomainError, dayIn, findUsableImportSupplier } from '@causeway/domain';
import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { errorBodyOf } from './rest/error-bodies.ts';
import { trpcErrorOf } from './trpc-error.ts';

/** What a procedure and its middleware say about the HTTP response, beside the body. */
export interface ResponseNotes {
  /** In place of the procedure's usual success status. */
  status?: number;
  /** Dotted paths of what was sent and is not documented (design 4.3). */
  undocumentedFields: string[];
}

/** What every procedure gets: the use cases' context, and where to note what the response should show. */
export interface Context extends DomainContext {
  response: ResponseNotes;
  /** Makes this instance look an API key up again at its next use. */
  forgetApiKey: (id: string) => void;
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
  /** A list whose REST form without `limit` is every page of it, streamed. */
  streamed?: boolean;
}

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    errorFormatter({ shape, error }) {
      const { body } = errorBodyOf(error);
      const { code, httpStatus, path } = shape.data;
      return { message: body.detail, code: shape.code, data: { code, httpStatus, path, error: body } };
    },
  });

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

// Whatever goes wrong below leaves as one kind of error, with the status this procedure gives its code.
const procedure = t.procedure.use(async ({ next, meta }) => {
  const result = await next();
  if (!result.ok) {
    throw trpcErrorOf(result.error, meta?.notFound);
  }
  return result;
});

/** A procedure of the service team: an import supplier's token gets `permission_denied`. */
export const staffProcedure = procedure.use(({ ctx, next }) => {
  if (ctx.actor.kind !== 'staff') {
    throw new DomainError('permission_denied', 'This procedure is open to the service team only.');
  }
  return next();
});

export interface SupplierProcedureOptions {
  /** The top-level code of a payload that fails validation. */
  failureCode?: ErrorCode;
  /** Rules beyond the schema, which depend on the import supplier or on today. */
  rules?: typeof import('@causeway/domain').accountRules;
  /** What the body of a validation failure says beside its errors. */
  failureExtra?: (input: unknown, errors: FieldError[]) => Record<string, unknown>;
}

/**
 * A data-import procedure, for an import supplier's token or a staff token. All problems of the input are reported at
 * once: the schema's, those of `rules`, and undocumented fields where the import supplier refuses them.
 */
export function supplierProcedure<Schema extends z.ZodObject>(schema: Schema, options: SupplierProcedureOptions = {}) {
  const { failureCode = 'request_failed_validation', rules, failureExtra } = options;
  const refusal = (input: unknown, errors: FieldError[]) =>
    new DomainError(failureCode, failureSentence(errors), { errors, extra: failureExtra?.(input, errors) ?? {} });

  return procedure
    .use(async ({ ctx, getRawInput, next }) => {
      const input = await getRawInput();
      const undocumented = undocumentedFields(schema, input);
      ctx.response.undocumentedFields.push(...undocumented);
      const importSupplier = await findUsableImportSupplier(ctx, input);
      const today = dayIn(ctx.timeZone, ctx.clock());
      const errors = importSupplier === undefined ? [] : (rules?.(input, { importSupplier, today }) ?? []);
      if (importSupplier?.reject_undocumented_fields) {
        errors.push(...undocumented.map(undocumentedField));
      }
      if (errors.length > 0) {
        const parsed = schema.safeParse(input);
        throw refusal(input, [...(parsed.success ? [] : fieldErrorsOf(parsed.error, input)), ...errors]);
      }
      const result = await next();
      if (!result.ok && result.error.cause instanceof z.core.$ZodError) {
        throw refusal(input, fieldErrorsOf(result.error.cause, input));
      }
      return result;
    })
    .input(schema);
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
  return errors.length === 1 && first !== undefined
    ? `The payload failed validation: ${first.attr}.`
    : `The payload failed validation: ${errors.length} problems, see errors.`;
}
