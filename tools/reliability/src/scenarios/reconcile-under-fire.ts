import { setTimeout as delay } from 'node:timers/promises';
import { lodgeStored, putReconciliation, type Random } from '@causeway/testing';
import { moveBooks } from '../rig/move-books.ts';
import { operationOn } from '../rig/operations.ts';
import { send } from '../rig/send.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { killInstances } from '../rig/strikers.ts';
import { exactly, listed, none, type Outcome, type Scenario, tally } from '../scenario.ts';

const LOOK_EVERY_MS = 20;
const ACCOUNTS_A_RANGE = 10;
const PLANTED_EVERY = 50;
const PEACE_MS = { from: 50, to: 400 };
const ACCOUNTS_BESIDE_A_WRITER = 400;

/** How a line of the manifest is changed by a penny or a piece, in each kind of figure, and the fields that then differ. */
const CHANGES = [
  ['transfer_balance = transfer_balance - 0.01', ['transfer_balance']],
  ['notes = notes + 1', ['notes']],
  ['transactions = transactions + 1', ['transactions']],
  ['transactions_sum = transactions_sum + 0.01', ['transactions_sum']],
  ['statements = statements + 1', ['statements']],
  ['statements_gross = statements_gross + 0.01', ['statements_gross']],
  ['payment_instruction = NOT payment_instruction', ['payment_instruction']],
  ['by_type = \'{"CHARGE": {"count": 0, "amount": "0.01"}}\' || by_type - \'CHARGE\'', undefined],
] as const;

/** Differences of one penny, or of one piece, in every kind of figure: all are found, and no others. */
export const findPennies: Scenario = {
  row: 29,
  title: 'differences of a penny in every kind of figure',
  unit: 'accounts',
  full: 50_000,
  short: 400,
  async run(size, random): Promise<Outcome> {
    await using world = await startWorld({ instances: 2 });
    const supplier = await world.createSupplier();
    const numbers = await moveAccounts(world, supplier, { count: size, random });
    const manifest = await lodge(world, supplier);
    const planted = new Map<string, readonly string[] | undefined>();
    for (let index = 0; index < size / PLANTED_EVERY; index += 1) {
      const account = random.pick(numbers);
      const [change, fields] = CHANGES[index % CHANGES.length] ?? CHANGES[0];
      if (planted.has(account)) continue;
      await changeLine(world, manifest, account, change);
      planted.set(account, fields);
    }
    const id = await putReconciliation(world.query, manifest, rangesOf(size));
    const { verdict, differences } = await finished(world, id);
    const found = Map.groupBy(await differencesOf(world, id), ({ account }) => account);
    return {
      figures: `${numbers.length} accounts, ${planted.size} with a planted difference: ${verdict}, ${differences} differences in ${found.size} accounts`,
      claims: [
        exactly('the verdict', verdict, planted.size > 0 ? 'DIFFERENT' : 'EQUAL'),
        ...none({
          'planted differences that were not found': [...planted].filter(([account, fields]) => {
            const fieldsFound = found.get(account)?.map(({ field }) => field);
            return fieldsFound === undefined || (fields !== undefined && fieldsFound.join() !== fields.join());
          }),
          'differences that nobody planted': [...found.keys()].filter((account) => !planted.has(account)),
        }),
      ],
    };
  },
};

/** kill -9 of one of two instances at random times while they compare: one verdict, and each difference once. */
export const reconcileWhileKilled: Scenario = {
  row: 30,
  title: 'kill -9 of the service while it reconciles',
  unit: 'kills',
  full: 50,
  short: 1,
  async run(kills, random): Promise<Outcome> {
    await using world = await startWorld({ instances: 2 });
    const supplier = await world.createSupplier();
    const numbers = await moveAccounts(world, supplier, { count: ACCOUNTS_BESIDE_A_WRITER, random });
    const manifest = await lodge(world, supplier);
    await changeLine(world, manifest, numbers[0]);
    const striker = killInstances(world, random.fork('victims'));
    const wrong: unknown[] = [];
    let met = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const id = await putReconciliation(world.query, manifest, ACCOUNTS_BESIDE_A_WRITER);
      await delay(random.integer(PEACE_MS.from, PEACE_MS.to));
      await striker.strike();
      if (await isRunning(world, id)) met += 1;
      const done = await finished(world, id);
      const found = await differencesOf(world, id);
      if (done.verdict !== 'DIFFERENT' || done.differences !== '1' || found.length !== 1)
        wrong.push({ ...done, found });
    }
    await striker.finish();
    return {
      figures: `${kills} kills, ${met} of them met a reconciliation; ${wrong.length} wrong`,
      claims: [...none({ 'reconciliations with another verdict, or other differences': wrong })],
    };
  },
};

/**
 * A writer that keeps two accounts unequal at all times, while each of them is for half of the time what the manifest
 * claims: a comparison that reads them at different times would find them EQUAL.
 */
export const reconcileBesideWriters: Scenario = {
  row: 31,
  title: 'a writer in a loop while it reconciles',
  unit: 'reconciliations',
  full: 100,
  short: 2,
  async run(times, random): Promise<Outcome> {
    await using world = await startWorld({ instances: 2 });
    const supplier = await world.createSupplier();
    const numbers = await moveAccounts(world, supplier, { count: ACCOUNTS_BESIDE_A_WRITER, random });
    const verdicts: string[] = [];
    const untrue: unknown[] = [];
    for (let time = 0; time < times; time += 1) {
      const one = random.pick(numbers);
      const other = random.pick(numbers.filter((number) => number !== one));
      const manifest = await lodge(world, supplier);
      await changeLine(world, manifest, other);
      const id = await putReconciliation(world.query, manifest, rangesOf(numbers.length));
      // The first one gets its note before the second one: at no time has the second one note more, and the first none.
      let isOver = false;
      const writing = (async () => {
        while (!isOver) for (const account of [one, other]) await addNote(world, supplier, account);
      })();
      const { verdict } = await finished(world, id);
      isOver = true;
      await writing;
      verdicts.push(verdict);
      if (verdict === 'EQUAL') untrue.push({ one, other });
    }
    return {
      figures: `${times} reconciliations beside a writer: ${listed(tally(verdicts))}`,
      claims: [...none({ 'verdicts EQUAL of figures that were never equal together': untrue })],
    };
  },
};

/** Accounts with all that a book brings; their numbers. */
async function moveAccounts(
  world: World,
  supplier: Supplier,
  { count, random }: { count: number; random: Random },
): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, index) => `REC-${index + 1}`);
  await moveBooks(world, supplier, random.fork('book')).move(numbers);
  return numbers;
}

const lodge = (world: World, { code }: Supplier) => lodgeStored(world.query, code);

async function changeLine(world: World, manifest: unknown, account: unknown, change = 'notes = notes + 1') {
  const line = 'manifest_id = $1 AND external_account_number = $2';
  await world.query(`UPDATE manifest_accounts SET ${change} WHERE ${line}`, [manifest, account]);
}

const rangesOf = (accounts: number) => Math.ceil(accounts / ACCOUNTS_A_RANGE);

async function addNote(world: World, supplier: Supplier, account: string): Promise<void> {
  const request = operationOn(supplier, account, 'notes');
  const notes = [{ body: `Called again at ${performance.now()}`, created_at: '2026-02-01T10:00:00Z' }];
  await send(world.url(), { ...request, body: { ...request.body, notes }, token: supplier.token });
}

const isRunning = async (world: World, id: string): Promise<boolean> =>
  (await world.count(`SELECT count(*) FROM reconciliations WHERE id = $1 AND state <> 'FINISHED'`, [id])) > 0;

async function finished(world: World, id: string): Promise<{ verdict: string; differences: string }> {
  for (;;) {
    const [row] = await world.query<{ verdict: string; differences: string }>(
      `SELECT verdict::text, differences::text FROM reconciliations WHERE id = $1 AND state = 'FINISHED'`,
      [id],
    );
    if (row !== undefined) return row;
    await delay(LOOK_EVERY_MS);
  }
}

function differencesOf(world: World, id: string): Promise<{ account: string; field: string }[]> {
  return world.query(
    `SELECT external_account_number AS account, field FROM reconciliation_differences
     WHERE reconciliation_id = $1 ORDER BY 1, 2`,
    [id],
  );
}
