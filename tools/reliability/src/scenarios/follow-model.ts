import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { drawSequence, REFERENCES } from '../rig/draw-call.ts';
import { type Effects, readEffects } from '../rig/effects.ts';
import { type Call, type ModelSupplier, pounds, predict } from '../rig/model.ts';
import { knownInstruction } from '../rig/operations.ts';
import { performCall, type Real } from '../rig/perform-call.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { exactly, none, type Outcome, type Scenario } from '../scenario.ts';

/** Concurrent sequences: they share only the service. */
const LANES = 4;

/**
 * Random sequences of calls of two organisations and the service team; every answer and all rows must match the model.
 */
export const followModel: Scenario = {
  row: 2,
  title: 'random operation sequences against a model',
  unit: 'sequences',
  full: 20_000,
  async run(sequences, random): Promise<Outcome> {
    await using world = await startWorld();
    const owners: [Supplier, Supplier] = [await world.createSupplier(), await world.createSupplier()];
    // One for all sequences: a new client obtains a token.
    const staff = world.staff();
    const travel = random.fork('travel');
    for (const reference of REFERENCES) world.vendor.behaveFor(reference, knownInstruction(reference));
    const seen: Record<string, number> = {};
    let sequence = 0;
    let calls = 0;
    const property = fc.asyncProperty(drawSequence(), async (list) => {
      sequence += 1;
      const real = await beginSequence({ url: world.url(), staff, travel }, owners, sequence);
      const model: [ModelSupplier, ModelSupplier] = [newSupplier(), newSupplier()];
      for (const one of list) {
        const answer = await follow(real, model, one);
        seen[answer] = (seen[answer] ?? 0) + 1;
        calls += 1;
      }
      await compareRows(world, real, model);
    });
    const lanes = Array.from({ length: LANES }, (_, lane) => ({
      numRuns: Math.ceil((sequences - lane) / LANES),
      seed: random.fork(`lane ${lane}`).seed | 0,
    }));
    const checked = await Promise.all(lanes.map((parameters) => fc.check(property, parameters)));
    const failed = checked.filter((details) => details.failed);
    const runs = checked.reduce((sum, { numRuns }) => sum + numRuns, 0);
    const answers = Object.entries(seen).toSorted(([, one], [, other]) => other - one);
    return {
      figures: `${runs} sequences, ${calls} calls, ${answers.length} kinds of answer (${answers.map(([name, times]) => `${times} x ${name}`).join(', ')})`,
      claims: [
        none(
          "an answer, list, state or sum of money that is not the model's",
          failed.map((details) => `${fc.defaultReportMessage(details)} ${details.errorInstance}`),
        ),
        exactly('sequences run', runs, sequences),
        exactly('kinds of call that were both accepted and refused', coverageOf(seen), 'all'),
      ],
    };
  },
};

const newSupplier = (): ModelSupplier => ({ status: 'ONGOING', accounts: new Map() });

/** New import suppliers of the same two organisations: so that sequences do not interfere. */
async function beginSequence(
  shared: Omit<Real, 'suppliers'>,
  owners: [Supplier, Supplier],
  sequence: number,
): Promise<Real> {
  const named = owners.map((owner, side) => ({ ...owner, code: `SEQUENCE-${sequence}-${side}` }));
  await Promise.all(
    named.map(({ code, organisationId }) =>
      shared.staff.importSuppliers.create.mutate({ code, name: code, organisation_id: organisationId }),
    ),
  );
  return { ...shared, suppliers: named as [Supplier, Supplier] };
}

/** Makes the call and compares its answer with the model's; throws if they differ. */
async function follow(real: Real, model: [ModelSupplier, ModelSupplier], call: Call): Promise<string> {
  const prediction = predict(model, call);
  const { answer, shows, serviceAccountNumber } = await performCall(real, call);
  const expected = { answer: prediction.answer, shows: prediction.shows };
  if (!isDeepStrictEqual({ answer, shows }, expected)) {
    throw new Error(`${call.kind}: ${JSON.stringify({ answer, shows })}, expected ${JSON.stringify(expected)}`);
  }
  const account = model[call.owner].accounts.get(call.account);
  if (answer === '201' && account !== undefined && serviceAccountNumber !== undefined) {
    account.serviceAccountNumber = serviceAccountNumber;
  }
  return `${call.kind} ${answer}`;
}

async function compareRows(world: World, real: Real, model: [ModelSupplier, ModelSupplier]): Promise<void> {
  for (const side of [0, 1] as const) {
    const stored = (await readEffects(world, real.suppliers[side])).map(rowOf);
    const expected = [...model[side].accounts].map(([name, account]) => expectedRow(name, account));
    if (!isDeepStrictEqual(stored, expected)) {
      throw new Error(`The rows are ${JSON.stringify(stored)}, expected ${JSON.stringify(expected)}`);
    }
  }
}

function rowOf({
  account,
  service_account_number,
  process,
  notes,
  transactions,
  statements,
  instruction,
  sum,
  ...names
}: Effects) {
  const { staged_name, billing_name } = names;
  const rows = { process, notes, transactions, statements, instruction, sum };
  return { account, service_account_number, staged_name, billing_name, ...rows };
}

function expectedRow(account: string, model: ModelSupplier['accounts'] extends Map<string, infer One> ? One : never) {
  const amounts = [...model.transactions.values()].flat();
  return {
    account,
    service_account_number: model.serviceAccountNumber ?? null,
    staged_name: model.billingName,
    billing_name: model.state === 'COMPLETED' ? model.billingName : null,
    process: model.state === 'COMPLETED' ? 1 : 0,
    notes: model.notes.size,
    transactions: amounts.length,
    statements: model.statements.size,
    instruction: model.instruction === undefined ? 0 : 1,
    sum: amounts.length === 0 ? null : pounds(amounts.reduce((total, pence) => total + pence, 0)),
  };
}

/** Sequences in which every call is refused would prove nothing. */
function coverageOf(seen: Record<string, number>): string {
  const kinds = ['stage', 'process', 'notes', 'transactions', 'statements', 'instruction', 'status', 'list'];
  const has = (kind: string, status: string) => Object.keys(seen).some((name) => name.startsWith(`${kind} ${status}`));
  const missing = kinds.filter((kind) => !has(kind, '20') || !has(kind, '40'));
  return missing.length === 0 ? 'all' : `all but ${missing.join(', ')}`;
}
