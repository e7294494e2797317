import { type AnyRouter, initTRPC } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { middlewareMarker } from '@trpc/server/unstable-core-do-not-import';
import { z } from 'zod';
import { errorBodyOf, trpcErrorShape } from '../answers/error-bodies.ts';
import type { Context } from '../http/context.ts';
import type { InputChecks, Procedure, ProcedureMeta, SupplierField } from './meta.ts';
import { type Reply, trpcErrorOf } from './reply.ts';

/** The context of a request over /trpc. */
export interface TrpcContext extends Context {
  /** Answers one of its calls through `call`. */
  answer(path: string, getInput: () => Promise<unknown>): Promise<Reply>;
}

const t = initTRPC
  .context<TrpcContext>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ error, path }) =>
      trpcErrorShape({ ...errorBodyOf(error), status: getHTTPStatusCodeFromError(error) }, path),
  });

export const router = t.router;

/**
 * A procedure for anyone with a valid token. Over /trpc this one step answers it, through `call` as everywhere: what a
 * procedure adds to it (its input, its output, its resolver) only says what `call` does.
 */
export const callerProcedure = t.procedure.use(async ({ ctx, path, getRawInput }) => {
  const reply = await ctx.answer(path, getRawInput);
  if (reply.refusal !== undefined) throw trpcErrorOf(reply.refusal, reply.status);
  return { ok: true, data: reply.body, ctx, marker: middlewareMarker } as never;
});

/** A procedure of the service team: an import supplier's token gets `permission_denied`. */
export const staffProcedure = callerProcedure.meta({ isForStaff: true });

/**
 * A data-import procedure, for an import supplier's token or a staff token. All problems of the input are reported at
 * once: the schema's, those of `checks`, and undocumented fields where the import supplier refuses them.
 */
export function supplierProcedure<Schema extends z.ZodObject>(schema: Schema, checks: InputChecks = {}) {
  return callerProcedure.meta({ checks }).input(schema);
}

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

/** The procedures of the router by their paths, in its order. */
export function proceduresOf(router: AnyRouter): ReadonlyMap<string, Procedure> {
  return new Map(
    Object.entries(router._def.procedures).map(([path, procedure]) => {
      const { type, meta = {}, inputs, output, resolver, middlewares } = (procedure as { _def: Definition })._def;
      const cut = output instanceof z.ZodType ? output : undefined;
      // The step of `callerProcedure`, of its input, of its output, and of its resolver: `call` runs no other.
      const steps = 2 + Number(inputs.length > 0) + Number(output !== undefined);
      if (inputs.length > 1 || middlewares.length !== steps)
        throw new Error(`${path} has a step that call does not run`);
      const supplierField = supplierFieldOf(inputs[0]);
      return [path, { path, type, meta, input: inputs[0], supplierField, output: cut, resolve: resolver }];
    }),
  );
}

/** What tRPC knows of a procedure. */
interface Definition extends Pick<Procedure, 'type'> {
  meta?: ProcedureMeta;
  inputs: z.ZodType[];
  output?: object;
  resolver: Procedure['resolve'];
  middlewares: unknown[];
}

/** The field that the schema documents: the other one would be undocumented, and must have no effect. */
function supplierFieldOf(schema: z.ZodType | undefined): SupplierField {
  return schema instanceof z.ZodObject && 'import_supplier' in schema.shape
    ? 'import_supplier'
    : 'import_supplier_code';
}
