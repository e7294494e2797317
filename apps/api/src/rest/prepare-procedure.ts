import { type AnyProcedure, getTRPCErrorFromUnknown, type TRPCError } from '@trpc/server';
import { documentedBy } from '../procedures/procedure.ts';

/** What a procedure is called with. */
export interface ProcedureCall {
  ctx: object;
  input: unknown;
}

/** Calls a procedure: resolves to its output, or rejects with a TRPCError. */
export type RunProcedure = (call: ProcedureCall) => Promise<unknown>;

/** What a step passes on, and may replace for the steps after it. */
interface Passed {
  ctx: object;
  input: unknown;
  getRawInput: () => Promise<unknown>;
}

type Result = { ok: true; data: unknown } | { ok: false; error: TRPCError };
interface Step {
  (options: object): Promise<Result>;
  /** Of a step that tRPC has made itself. */
  _type?: string;
}

/** What tRPC knows of a procedure. */
interface Definition {
  middlewares: readonly Step[];
  type: string;
  meta: unknown;
  output?: object;
}

/**
 * Runs the own steps of a procedure in their order, as tRPC does for its `path`, except for the output step of `answers`,
 * which would only copy the result. tRPC itself also copies the call twice before each step, by its properties'
 * descriptors (docs/decisions/0014).
 */
export function prepareProcedure(procedure: AnyProcedure, path: string): RunProcedure {
  const { middlewares, type, meta, output } = procedure._def as unknown as Definition;
  const steps = documentedBy(output) ? middlewares.filter(({ _type }) => _type !== 'output') : middlewares;

  async function run(index: number, passed: Passed): Promise<Result> {
    const step = steps[index] as Step;
    const next = ({ ctx, ...given }: Partial<Passed> = {}) =>
      run(index + 1, { ...passed, ...given, ctx: ctx === undefined ? passed.ctx : { ...passed.ctx, ...ctx } });
    try {
      return await step({ ...passed, path, type, meta, signal: undefined, batchIndex: 0, next });
    } catch (cause) {
      return { ok: false, error: getTRPCErrorFromUnknown(cause) };
    }
  }

  return async ({ ctx, input }) => {
    const result = await run(0, { ctx, input: undefined, getRawInput: async () => input });
    if (!result.ok) throw result.error;
    return result.data;
  };
}
