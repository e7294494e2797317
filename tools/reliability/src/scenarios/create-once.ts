import { readEffects, timesCounted } from '../rig/effects.ts';
import { allWaitOrAreAnswered, buildStartingGate, type Gate } from '../rig/gate.ts';
import { knownInstruction, OPERATIONS, type OperationName, operationOn } from '../rig/operations.ts';
import { type Answer, fieldOf, nameOf, send } from '../rig/send.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { exactly, none, type Outcome, type Scenario } from '../scenario.ts';

const CALLERS = { process: 50, import: 10 };
const INSTANCES = 3;

/** Identical concurrent calls, 50 of process and then 10 of each import into the account: each takes effect once. */
export const createOnce: Scenario = {
  row: 1,
  title: 'identical calls over three instances',
  unit: 'rounds',
  full: 500,
  short: 2,
  async run(rounds, random): Promise<Outcome> {
    await using world = await startWorld({ instances: INSTANCES });
    await using gate = await buildStartingGate(world);
    const supplier = await world.createSupplier();
    const odd: unknown[] = [];
    const apart: unknown[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const account = `ROUND-${round}`;
      world.vendor.behave(knownInstruction(`pm_${account}`));
      const first = random.integer(0, INSTANCES - 1);
      await Promise.all(callAll(world, { supplier, account, name: 'stage', first }));
      for (const name of OPERATIONS.slice(1)) {
        const { answers, met } = await callTogether(world, gate, { supplier, account, name, first });
        if (met < meetingOf(name)) apart.push({ account, name, met });
        odd.push(...oddAnswers(name, answers).map((what) => ({ account, name, what })));
      }
    }
    const effects = await readEffects(world, supplier);
    const miscounted = effects.flatMap((account) =>
      OPERATIONS.filter((name) => timesCounted(account, name) !== 1).map((name) => ({
        account: account.account,
        name,
      })),
    );
    return {
      figures: `${rounds} rounds of ${CALLERS.process} process calls and ${CALLERS.import} of each import, ${odd.length} odd answers, ${miscounted.length} not counted once`,
      claims: [
        ...none({
          'one 201 of process, and 49 times 400 with the number it created; imports agree likewise': odd,
          'each counted exactly once in the database': miscounted,
        }),
        exactly('accounts in the database', effects.length, rounds),
        ...none({
          'fewer at once in the database than a process call of each instance, or all calls of an import': apart,
        }),
      ],
    };
  },
};

const callersOf = (name: OperationName): number => (name === 'process' ? CALLERS.process : CALLERS.import);
/** An instance lets one process call per account into the database; the others wait in the instance. */
const meetingOf = (name: OperationName): number => (name === 'process' ? INSTANCES : CALLERS.import);

interface Calls {
  supplier: Supplier;
  account: string;
  name: OperationName;
  /** The instance of the first caller. */
  first: number;
}

function callAll(world: World, { supplier, account, name, first }: Calls): Promise<Answer | undefined>[] {
  const operation = { ...operationOn(supplier, account, name), token: supplier.token };
  return Array.from({ length: callersOf(name) }, (_, caller) => send(world.url(first + caller), operation));
}

/** Releases them once `met` of them are waiting in the database. */
async function callTogether(world: World, gate: Gate, calls: Calls) {
  await gate.close();
  const answers = callAll(world, calls);
  const met = await allWaitOrAreAnswered(gate, answers, meetingOf(calls.name));
  await gate.open();
  return { answers: await Promise.all(answers), met };
}

/** The faults in these answers to identical calls. */
function oddAnswers(name: OperationName, answers: (Answer | undefined)[]): string[] {
  if (name === 'process') return oddCreations(answers);
  const other = answers.filter((answer) => answer?.status !== 201).map(nameOf);
  const firsts = answers.filter((answer) => /NOTE_CREATION_SUCCESS|TRANSACTION_ADDED_TO/.test(JSON.stringify(answer)));
  const expected = name === 'notes' || name === 'transactions' ? 1 : 0;
  return firsts.length === expected ? other : [...other, `${firsts.length} say that they added`];
}

function oddCreations(answers: (Answer | undefined)[]): string[] {
  const created = answers.filter((answer) => answer?.status === 201);
  const number = fieldOf(created[0]?.body, 'service_account_number');
  const others = answers.filter((answer) => answer?.status !== 201);
  const strange = others.filter(
    (answer) =>
      nameOf(answer) !== '400 account_import_process_already_imported' ||
      fieldOf(answer?.body, 'service_account_number') !== number,
  );
  return [...(created.length === 1 ? [] : [`${created.length} times 201`]), ...strange.map(nameOf)];
}
