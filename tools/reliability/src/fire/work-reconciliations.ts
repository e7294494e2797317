import { setTimeout as delay } from 'node:timers/promises';
import { lodgeStored, putReconciliation } from '@causeway/testing';
import { moveBooks } from '../rig/move-books.ts';
import type { ServiceWorld } from '../rig/service-world.ts';
import { waitUntil } from '../rig/wait.ts';
import { none } from '../scenario.ts';
import type { Work } from './work.ts';

const ACCOUNTS = 400;
const PENNY_EVERY = 50;
/** From its beginning to the strike. */
const CALM_MS = { from: 0, to: 350 };

/** How a line of the manifest is changed by a penny or a piece, in each kind of figure. */
const CHANGES = [
  'transfer_balance = transfer_balance - 0.01',
  'notes = notes + 1',
  'transactions = transactions + 1',
  'transactions_sum = transactions_sum + 0.01',
  'statements = statements + 1',
  'statements_gross = statements_gross + 0.01',
  'payment_instruction = NOT payment_instruction',
];

/** One reconciliation after the other: each finds the same differences of one penny or piece, once, and no others. */
export const reconcile: Work = {
  async begin({ world, random }) {
    const supplier = await world.createSupplier();
    const accounts = Array.from({ length: ACCOUNTS }, (_, index) => `REC-${index + 1}`);
    await moveBooks(world, supplier, random.fork('book')).move(accounts);
    const manifest = await lodgeStored(world.query, supplier.code);
    const planted: string[] = [];
    for (const [index, change] of CHANGES.entries()) {
      const [field] = change.split(' ');
      const account = accounts[index * PENNY_EVERY];
      const line = 'manifest_id = $1 AND external_account_number = $2';
      await world.query(`UPDATE manifest_accounts SET ${change} WHERE ${line}`, [manifest, account]);
      planted.push(`${account} ${field}`);
    }
    const expected = planted.sort().join();
    const wrong: unknown[] = [];
    let id = '';
    let met = 0;
    return {
      async untilStrike() {
        id = await putReconciliation(world.query, manifest, ACCOUNTS);
        await delay(random.integer(CALM_MS.from, CALM_MS.to));
      },
      async afterStrike() {
        if (!(await isFinished(world, id))) met += 1;
        await waitUntil(() => isFinished(world, id));
        const found = await differencesOf(world, id);
        const [{ verdict = '' } = {}] = await world.query<{ verdict: string }>(
          'SELECT verdict::text FROM reconciliations WHERE id = $1',
          [id],
        );
        if (verdict !== 'DIFFERENT' || found !== expected) wrong.push({ verdict, found, expected });
      },
      judge: async () => ({
        figures: `${met} of them met a reconciliation of ${ACCOUNTS} accounts with ${planted.length} differences; ${wrong.length} wrong`,
        claims: none({ 'reconciliations with another verdict, or other differences than were planted': wrong }),
      }),
    };
  },
};

const isFinished = async (world: ServiceWorld, id: string): Promise<boolean> =>
  (await world.count(`SELECT count(*) FROM reconciliations WHERE id = $1 AND state = 'FINISHED'`, [id])) > 0;

async function differencesOf(world: ServiceWorld, id: string): Promise<string> {
  const rows = await world.query<{ difference: string }>(
    `SELECT external_account_number || ' ' || field AS difference FROM reconciliation_differences
     WHERE reconciliation_id = $1`,
    [id],
  );
  const differences = rows.map(({ difference }) => difference);
  return differences.sort().join();
}
