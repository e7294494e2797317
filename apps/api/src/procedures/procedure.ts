import type { ErrorCode } from '@causeway/contracts';
import type { ListName } from '@causeway/domain';
import { allErrorsOf } from '@causeway/rules';
import { initTRPC, type TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type { z } from 'zod';
import { errorBodyOf } from '../answers/error-bodies.ts';
import { trpcErrorOf, trpcErrorShape } from '../answers/trpc-errors.ts';
import { answerMarked, answerRefused, refuseUnusableKey, unusableKey } from '../idempotency/answer-marked.ts';
import { type RefusedCall, rememberRefused } from '../refusals/remember-refused.ts';
import type { Context } from '../request/context.ts';
import { supplierFieldOf } from '../request/supplier-field.ts';
import { WireRefusal } from '../request/wire-refusal.ts';
import {
  asChecked,
  checkOf,
  isBadInput,
  refusalOf,
  refusedInput,
  type SupplierProcedureOptions,
} from './check-input.ts';

/** What a procedure declares for REST and for the published document. */
export interface ProcedureMeta extends OpenApiMeta {
  successStatus?: 200 | 201;
  /** Another success status that a call can have, set in `response.status`. */
  alternativeSuccess?: { status: 200; description: string };
  /** Its documented refusals, in addition to those of every procedure. */
  errors?: readonly ErrorCode[];
  /** Of those, the ones that are a 404 here: the code's usual status is different. */
  notFound?: readonly ErrorCode[];
  /** The inputs that a POST reads from its query string. */
  queryParameters?: readonly string[];
  /** It calls another service: with an Idempotency-Key no transaction may be open around it. */
  outsideTransaction?: boolean;
  /** Its answer is not kept, because it is harmless to repeat, or because the answer has a secret. */
  ignoresIdempotencyKey?: boolean;
  /** What its refusals are remembered as; those of a read are not. */
  operation?: RefusedCall['operation'];
  /**
   * It answers a page of records and sets `response.nextPage`. If there is no `limit`, REST streams the whole list: its
   * first page, then its text from the database where it has a name, else its other pages; `lines`: as NDJSON; `rows`:
   * as NDJSON, or as CSV if `Accept` asks for it.
   */
  list?: ListName | UnnamedList;
}

/** The forms of a list whose text is not made by the database. */
export type UnnamedList = 'pages' | 'lines' | 'rows';

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ error, path }) =>
      trpcErrorShape({ ...errorBodyOf(error), status: getHTTPStatusCodeFromError(error) }, path),
  });

export const router = t.router;

/**
 * A procedure for anyone with a valid token. Every error of a procedure leaves as one kind of error, with the status
 * that this procedure declares for its code.
 */
export const callerProcedure = t.procedure.use(async ({ ctx, next, meta, getRawInput }) => {
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
 * Types and documents what a procedure answers, and hands it on as it is: the tests hold every answer against the
 * published document, and to parse our own output again costs more than it tells (docs/decisions/0014).
 */
export function answers<Schema extends z.ZodType>(schema: Schema) {
  return Object.assign((output: unknown) => output as z.output<Schema>, { documents: schema });
}

/** The schema that a procedure's declared output documents, if it is one of `answers`, which checks nothing. */
export function documentedBy(output: object | undefined): z.ZodType | undefined {
  return (output as { documents?: z.ZodType } | undefined)?.documents;
}

/** A procedure of the service team: an import supplier's token gets `permission_denied`. */
export const staffProcedure = callerProcedure.use(({ ctx, next, type }) => {
  if (ctx.actor.kind !== 'staff') {
    throw new WireRefusal('permission_denied', 'This procedure is open to the service team only.');
  }
  if (type === 'mutation' && ctx.idempotencyKey !== undefined) {
    // Its answers may contain secrets, which are not kept.
    throw unusableKey('This procedure takes no key.');
  }
  return next();
});

/**
 * A data-import procedure, for an import supplier's token or a staff token. All problems of the input are reported at
 * once: the schema's, those of `rules` and `names`, and undocumented fields where the import supplier refuses them.
 */
export function supplierProcedure<Schema extends z.ZodObject>(schema: Schema, options: SupplierProcedureOptions = {}) {
  const checkInput = checkOf(schema, options);
  const supplierField = supplierFieldOf(schema);
  return t.procedure
    .use(async ({ ctx, getRawInput, next, meta, path, type }) => {
      const key = type === 'mutation' && !meta?.ignoresIdempotencyKey ? ctx.idempotencyKey : undefined;
      if (key !== undefined) refuseUnusableKey(key, ctx);
      const call = { operation: meta?.operation, supplierField, ctx };
      const marked = key && { key, path, meta, ...call, input: await getRawInput() };
      let input: unknown;
      const check = async () => {
        const sent = await getRawInput();
        const checked = await checkInput(ctx, sent, type);
        const { undocumented } = checked;
        input = checked.input;
        if (ctx.nextStep !== undefined) await ctx.nextStep();
        if (!marked && input === sent && undocumented === undefined) return next();
        const doOnce: Context['once'] = marked ? (work) => answerMarked(marked, work) : undefined;
        const given = { ctx: { ...ctx, undocumented, once: doOnce }, getRawInput: async () => input };
        return next(given);
      };
      const answer = async () => {
        try {
          const result = await check();
          if (result.ok) return result;
          const { error } = result;
          if (!isBadInput(error)) throw error;
          throw refusalOf(options, await getRawInput(), { all: allErrorsOf(error.cause, input) });
        } catch (error) {
          const refusal = trpcErrorOf(error, meta?.notFound);
          if (!marked) throw refusal;
          return await answerRefused<Awaited<ReturnType<typeof check>>>(marked, refusal);
        }
      };
      const remember = async (refusal: TRPCError) => {
        // Before the answer, and before the next call of a batch: what comes after it may mend it.
        await rememberRefused({ ...call, input: await getRawInput() }, refusal);
        throw refusal;
      };
      const remembering = () => answer().catch(remember);
      // There is no await before this: the calls of a batch take their places in the order of their arrival here.
      return (ctx.inBatch?.(remembering) ?? remembering()).catch((error: unknown) => {
        throw trpcErrorOf(error, meta?.notFound);
      });
    })
    .input(asChecked(schema));
}

/**
 * The resolver of a data-import mutation: does its work once if the client has marked the call. Here and not in a
 * middleware, which every read would pass too, at a tenth of its cost.
 */
export function once<Input, Data>(resolve: (call: { ctx: Context; input: Input }) => Promise<Data>) {
  return ({ ctx, input }: { ctx: Context; input: Input }): Promise<Data> => {
    const start = () =>
      ctx.once === undefined ? resolve({ ctx, input }) : ctx.once((inner) => resolve({ ctx: inner, input }));
    return ctx.nextStep === undefined ? start() : ctx.nextStep().then(start);
  };
}
