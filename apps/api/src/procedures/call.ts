import type { Context } from '../http/context.ts';
import { WireRefusal } from '../http/wire-refusal.ts';
import { checkInput } from './check-input.ts';
import { findKeptReply, markedCall, replyOnce, unusableKey } from './kept-replies.ts';
import type { Call, Procedure } from './meta.ts';
import { rememberRefusal } from './remember-refusal.ts';
import { type Reply, refused } from './reply.ts';

/**
 * Calls a procedure: the one way for REST, /trpc and each call of a batch. The reply is data, for success, refusal and
 * failure alike; nothing is thrown. Before a refusal is replied it is remembered (behaviour 4.15), so that what the
 * caller sends next can resolve it.
 */
export async function call(procedure: Procedure, sent: unknown, context: Context): Promise<Reply> {
  const made = { procedure, sent, context };
  try {
    return await answer(made);
  } catch (error) {
    const told = await rememberRefusal(made, error).then(
      () => error,
      (failure: unknown) => failure,
    );
    return refused(procedure, told);
  }
}

/**
 * The steps, each of which can end the call:
 * 1. the rights of the caller, and whether its Idempotency-Key can be used
 * 2. `checkInput`: the schema, the rules and the import supplier's settings, all problems at once
 * 3. with a key, a refused input gets the first reply anyway: what is valid may depend on the time
 * 4. the use case, with a key once, in the transaction that keeps the reply
 */
async function answer(made: Call): Promise<Reply> {
  const { procedure, sent, context } = made;
  refuseCaller(made);
  const marked = markedCall(made);
  const checked = await checkInput(procedure, sent, context);
  if ('refusal' in checked) {
    const kept = marked && (await findKeptReply(marked, checked.refusal));
    if (kept === undefined) throw checked.refusal;
    return kept;
  }
  if (context.nextStep !== undefined) await context.nextStep();
  const { input, undocumented, remarks } = checked;
  const isPlain = undocumented === undefined && remarks === undefined;
  const given = isPlain ? context : { ...context, undocumented, remarks };
  if (marked === undefined) return run(procedure, input, given);
  return replyOnce({ ...marked, context: given }, (within) => run(procedure, input, within));
}

function refuseCaller({ procedure: { meta, type }, context: { actor, idempotencyKey } }: Call): void {
  if (!meta.isForStaff) return;
  if (actor.kind !== 'staff') {
    throw new WireRefusal('permission_denied', 'This procedure is open to the service team only.');
  }
  // Its answers may contain secrets, which are not kept.
  if (type === 'mutation' && idempotencyKey !== undefined) throw unusableKey('This procedure takes no key.');
}

async function run({ meta, output, resolve }: Procedure, input: unknown, ctx: Context): Promise<Reply> {
  const answered = await resolve({ ctx, input });
  const body = output === undefined ? answered : output.parse(answered);
  return { status: ctx.response.status ?? meta.successStatus ?? 200, headers: {}, body };
}
