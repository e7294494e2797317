import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { STAGE } from '../refusals/refused-calls.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { charge } from '../transactions/examples.ts';

let service: TestService;
let supplier: TestSupplier;
beforeAll(async () => {
  service = await startTestService();
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

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
