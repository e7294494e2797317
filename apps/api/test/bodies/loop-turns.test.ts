import { expect, onTestFinished, test, vi } from 'vitest';
import { createLoopTurns } from '../../src/bodies/loop-turns.ts';
import { Party } from '../../src/overload/party.ts';
import { STAGE } from '../refusals/refused-calls.ts';
import { serviceOfFile } from '../support/test-service.ts';
import { charge } from '../transactions/examples.ts';

/** Turns in a time of their own: nothing here depends on how fast this machine is. */
function startTurns() {
  const clock = { nowMs: 0, restedMs: 0 };
  const alone = new Set<Party>();
  const company = { isAlone: (party: Party) => alone.has(party), keepLoop: () => undefined };
  const takeTurn = createLoopTurns(company, {
    now: () => clock.nowMs,
    rest: async (restMs) => {
      clock.nowMs += restMs;
      clock.restedMs += restMs;
    },
  });
  return {
    takeTurn,
    /** How long the loop is left to others after a turn that has kept it for so long. */
    async restAfter(keptMs: number, isAlone = false): Promise<number> {
      const party = new Party('test');
      if (isAlone) alone.add(party);
      await takeTurn(party);
      clock.nowMs += keptMs;
      clock.restedMs = 0;
      await takeTurn(new Party('other'));
      return clock.restedMs;
    },
  };
}

test.for([
  [20, 20],
  [50, 100],
  [400, 800],
])(
  '11.5.1 the event loop is left to others for as long as the work before has kept it, and longer after a long turn: %j ms',
  async ([keptMs = 0, restMs = 0]) => {
    const { restAfter } = startTurns();
    expect(await restAfter(keptMs)).toBe(restMs);
  },
);

test('11.5.1 a party that is alone does not leave the loop idle after turns that hardly delay anybody', async () => {
  const { restAfter } = startTurns();
  expect(await restAfter(20, false)).toBe(20);
  expect(await restAfter(80, true)).toBe(0);
  expect(await restAfter(200, true)).toBe(200);
});

test('11.5 turns come in the order in which they were asked for, each in a turn of the loop of its own', async () => {
  const { takeTurn } = startTurns();
  const seen: string[] = [];
  const party = new Party('test');
  const take = (name: string) =>
    takeTurn(party).then(() => {
      seen.push(name);
      setImmediate(() => seen.push('others'));
    });
  await Promise.all(['first', 'second', 'third'].map(take));
  expect(seen).toEqual(['first', 'others', 'second', 'others', 'third']);
});

test('11.5.2 parties have turns one after the other, however many one of them has asked for before', async () => {
  const { takeTurn } = startTurns();
  const seen: string[] = [];
  const take = (name: string, party: Party) =>
    takeTurn(party).then(() => {
      seen.push(name);
    });
  const [a, b, c] = [new Party('a'), new Party('b'), new Party('c')];
  const ofOne = ['a 1', 'a 2', 'a 3', 'a 4'].map((name) => take(name, a));
  const ofOthers = [take('b 1', b), take('c 1', c), take('b 2', b)];
  await Promise.all([...ofOne, ...ofOthers]);
  expect(seen).toEqual(['a 1', 'b 1', 'c 1', 'a 2', 'b 2', 'a 3', 'a 4']);
});

const service = await serviceOfFile();
const supplier = await service.createSupplier();

/** An account with so many transactions, of a kilobyte each. */
function accountOf(transactions: number) {
  const { transfer_balance: _balance, ...account } = supplier.account();
  const note = 'n'.repeat(1_000);
  return { ...account, transactions: Array.from({ length: transactions }, (_, id) => charge(`T-${id}`, { note })) };
}

/** Counts the turns that begin: each of them looks when it has let go of the loop. */
function countTurns() {
  const begin = globalThis.setImmediate;
  let turns = 0;
  const spy = vi.spyOn(globalThis, 'setImmediate').mockImplementation(((...given: Parameters<typeof begin>) => {
    if (new Error().stack?.includes('loop-turns.ts')) turns += 1;
    return begin(...given);
  }) as typeof begin);
  onTestFinished(() => spy.mockRestore());
  return () => turns;
}

test.for([
  ['a very large one: it is put together, parsed, checked and stored', 300, 4],
  ['a large one', 100, 1],
  ['a small one', 1, 0],
] as const)('11.5.4 an account is staged in as many turns as it has steps, %s', async ([, transactions, turns]) => {
  const count = countTurns();
  expect(await supplier.post(STAGE, accountOf(transactions))).toMatchObject({ status: 201 });
  expect(count()).toBe(turns);
  await supplier.trpc.dataImport.stageAccount.mutate(accountOf(transactions) as never);
  expect(count()).toBe(2 * turns);
});
