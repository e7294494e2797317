import { initTRPC, TRPCError } from '@trpc/server';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { answers } from '../../src/procedures/procedure.ts';
import { prepareProcedure } from '../../src/rest/prepare-procedure.ts';

interface Caller {
  name: string;
  organisation: string;
  seen: string[];
}

const t = initTRPC.context<Caller>().create();
const noting = (step: string) =>
  t.procedure.use(({ ctx, next }) => {
    ctx.seen.push(step);
    return next();
  });
const asked = z.object({ account: z.string().min(3), sum: z.coerce.number().optional() });

const PROCEDURES = {
  'plain steps': noting('first')
    .concat(noting('second'))
    .input(asked)
    .output(answers(z.unknown()))
    .mutation(({ ctx, input }) => ({ caller: ctx.name, input })),
  'a step that replaces the context': t.procedure
    .use(({ next }) => next({ ctx: { name: 'somebody else', added: 1 } }))
    .input(asked)
    .query(({ ctx: { seen: _, ...ctx } }) => ctx),
  'a step that replaces the input': t.procedure
    .use(({ next }) => next({ getRawInput: async () => ({ account: 'another' }) }))
    .input(asked)
    .query(({ input }) => input),
  'a step that replaces context and input': t.procedure
    .use(({ next }) => {
      const given = { ctx: { added: 2 }, getRawInput: async () => ({ account: 'a third' }) };
      return next(given);
    })
    .input(asked)
    .query(({ ctx: { seen: _, ...ctx }, input }) => ({ ctx, input })),
  'two inputs': t.procedure
    .input(asked)
    .input(z.object({ sum: z.string() }))
    .query(({ input }) => input),
  'a step that knows what it is in': t.procedure
    .meta({ openapi: { method: 'GET', path: '/' } })
    .use(({ ctx, path, type, meta, next }) => {
      ctx.seen.push(path, type, JSON.stringify(meta));
      return next();
    })
    .query(() => null),
  'a step that answers for the others': t.procedure
    .use(async ({ next }) => {
      const result = await next();
      if (result.ok) return result;
      throw new TRPCError({ code: 'CONFLICT', message: `instead of ${result.error.code}` });
    })
    .input(asked)
    .query(({ input }) => input),
  'a resolver that throws': t.procedure.input(asked).query(() => {
    throw new RangeError('too far');
  }),
  'a step that throws what is no error': t.procedure
    .use(() => {
      throw 'words';
    })
    .query(() => null),
  'an output with a schema of its own': t.procedure
    .input(asked)
    .output(z.object({ account: z.string() }))
    .query(({ input }) => ({ ...input, more: true })),
  'an output that its schema refuses': t.procedure
    .input(asked)
    .output(z.object({ other: z.string() }))
    .query(({ input }) => input as never),
};

const INPUTS: unknown[] = [
  { account: 'abc', sum: '12.5' },
  { account: 'abc' },
  { account: 'a' },
  undefined,
  null,
  'text',
];

test.for(
  Object.entries(PROCEDURES).flatMap(([name, procedure]) => INPUTS.map((input) => ({ name, procedure, input }))),
)('4.13.1 runs $name as tRPC does, with the input $input', async ({ procedure, input }) => {
  const path = 'area.name';
  const outcomeOf = async (call: (ctx: Caller) => Promise<unknown>) => {
    const ctx = { name: 'caller', organisation: 'Northwind', seen: [] };
    return { ...(await outcome(call(ctx))), ctx };
  };
  const expected = await outcomeOf((ctx) =>
    (procedure as Procedure)({
      ...{ path, ctx, type: procedure._def.type },
      ...{ getRawInput: async () => input, signal: undefined, batchIndex: 0 },
    }),
  );
  const run = prepareProcedure(procedure, path);
  expect(await outcomeOf((ctx) => run({ ctx, input }))).toEqual(expected);
});

test('4.13.1 the step of an output that is not parsed is left out', async () => {
  const procedure = t.procedure.output(answers(z.string())).query(() => 'as it is');
  const { middlewares } = procedure._def as unknown as { middlewares: { _type?: string }[] };
  const place = middlewares.findIndex(({ _type }) => _type === 'output');
  middlewares[place] = Object.assign(() => Promise.reject(new Error('It ran')), { _type: 'output' });
  const ctx = { name: 'caller', organisation: 'Northwind', seen: [] };
  expect(await prepareProcedure(procedure, 'area.name')({ ctx, input: undefined })).toBe('as it is');
});

type Procedure = (call: object) => Promise<unknown>;

async function outcome(answer: Promise<unknown>) {
  try {
    return { output: await answer };
  } catch (error) {
    const { code, message, cause } = error as TRPCError;
    return { isTrpcError: error instanceof TRPCError, code, message, cause: String(cause) };
  }
}
