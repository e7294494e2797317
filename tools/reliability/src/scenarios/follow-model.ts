import fc from 'fast-check';
import { type Call, type ModelAccount, type ModelSupplier, newSupplier } from '../model/account.ts';
import { compareRows, demandEqual } from '../model/compare-rows.ts';
import { drawSequence, REFERENCES } from '../model/draw-call.ts';
import { performCall, type Real } from '../model/perform-call.ts';
import { predict } from '../model/predict.ts';
import { knownInstruction } from '../rig/operations.ts';
import { type Supplier, startWorld } from '../rig/start-world.ts';
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
  short: 80,
  async run(sequences, random): Promise<Outcome> {
    await using world = await startWorld();
    const owners: [Supplier, Supplier] = [await world.createSupplier(), await world.createSupplier()];
    const shared = { url: world.url(), staff: world.staff(), travel: random.fork('travel') };
    for (const reference of REFERENCES) world.vendor.behaveFor(reference, knownInstruction(reference));
    const seen = new Set<string>();
    let sequence = 0;
    let calls = 0;
    const property = fc.asyncProperty(drawSequence(), async (list) => {
      sequence += 1;
      const real = await beginSequence(shared, owners, sequence);
      const model: [ModelSupplier, ModelSupplier] = [newSupplier(), newSupplier()];
      for (const one of list) {
        seen.add(await follow(real, model, one));
        calls += 1;
      }
      for (const side of [0, 1] as const) await compareRows(world, real.suppliers[side], model[side]);
    });
    const lanes = Array.from({ length: LANES }, (_, lane) => ({
      numRuns: Math.ceil((sequences - lane) / LANES),
      seed: random.fork(`lane ${lane}`).seed | 0,
    }));
    const checked = await Promise.all(lanes.map((parameters) => fc.check(property, parameters)));
    const failed = checked.filter((details) => details.failed);
    const runs = checked.reduce((sum, { numRuns }) => sum + numRuns, 0);
    return {
      figures: `${runs} sequences, ${calls} calls, ${seen.size} kinds of answer`,
      claims: [
        ...none({
          "an answer or row that is not the model's": failed.map(
            (details) => `${fc.defaultReportMessage(details)} ${details.errorInstance}`,
          ),
        }),
        exactly('sequences run', runs, sequences),
        exactly('kinds of call that were both accepted and refused', coverageOf(seen), 'all'),
      ],
    };
  },
};

/** New import suppliers of the same two organisations, so that sequences do not interfere. */
async function beginSequence(
  shared: Omit<Real, 'suppliers'>,
  owners: [Supplier, Supplier],
  sequence: number,
): Promise<Real> {
  const named = owners.map((owner, side) => ({ ...owner, code: `SEQUENCE-${sequence}-${side}` }));
  await Promise.all(
    named.map(({ code, organisationId }) =>
      shared.staff.importSuppliers.create.mutate({ code, name: code, organisation_id: organisationId, undo_hours: 1 }),
    ),
  );
  return { ...shared, suppliers: named as [Supplier, Supplier] };
}

/** Makes the call and compares its answer with the model's; throws if they differ. */
async function follow(real: Real, model: [ModelSupplier, ModelSupplier], call: Call): Promise<string> {
  const prediction = predict(model, call);
  const { answer, shows, serviceAccountNumber } = await performCall(real, call);
  const { kind } = call;
  demandEqual(kind, { answer, shows }, { answer: prediction.answer, shows: prediction.shows });
  const account = model[call.owner].accounts.get(call.account);
  if (answer === '201' && account !== undefined && serviceAccountNumber !== undefined) {
    account.serviceAccountNumber = serviceAccountNumber;
  }
  return `${nameOf(call, account)} ${answer}`;
}

/** What is told apart in the figures. */
function nameOf(call: Call, account: ModelAccount | undefined): string {
  const staged = call.kind === 'stage' ? call.payload : call.kind === 'process' ? account?.payload : undefined;
  return staged?.history ? `${call.kind} with history` : call.kind;
}

/** Sequences in which every call is refused would prove nothing. */
function coverageOf(seen: ReadonlySet<string>): string {
  const steps = ['stage', 'stage with history', 'process', 'process with history'];
  const imports = ['notes', 'transactions', 'statements', 'instruction'];
  const kinds = [...steps, ...imports];
  const has = (kind: string, status: string) => [...seen].some((name) => name.startsWith(`${kind} ${status}`));
  const missing = kinds.filter((kind) => !has(kind, '20') || !has(kind, '40'));
  if (!has('undo', '200') || !has('undo', 'account_not_created')) missing.push('undo');
  return missing.length === 0 ? 'all' : `all but ${missing.join(', ')}`;
}
