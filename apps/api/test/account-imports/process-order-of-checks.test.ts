import { describe, expect, test } from 'vitest';
import { serviceOfFile, type TestSupplier } from '../support/test-service.ts';
import { holdAccounts, holdAccountsIn } from './held-accounts.ts';

/** What process checks, first to last (behaviour 4.3), by the code that each check refuses with. */
const ORDER = [
  'request_failed_validation',
  'import_supplier_does_not_exist',
  'import_supplier_migration_not_ongoing',
  'import_process_does_not_exist',
  'account_import_process_skipped',
  'account_import_process_already_imported',
  'operations_team_name_does_not_exist',
  'concurrency_limit_exceeded',
  'dry_run_rolled_back',
] as const;
type Check = (typeof ORDER)[number];

/** An account is in one of these states, so that no request fails two of these checks. */
const STATES: readonly Check[] = [
  'import_process_does_not_exist',
  'account_import_process_skipped',
  'account_import_process_already_imported',
];

/** A migration is paused only when nothing of it is being created: then no slot is taken. */
const NEVER_BOTH = new Set(['import_supplier_migration_not_ongoing concurrency_limit_exceeded']);

const pairs = ORDER.flatMap((first, index) => ORDER.slice(index + 1).map((second) => [first, second] as const)).filter(
  ([first, second]) => !(STATES.includes(first) && STATES.includes(second)) && !NEVER_BOTH.has(`${first} ${second}`),
);

const service = await serviceOfFile();
await holdAccountsIn(service.database);

/**
 * Makes a process call that fails all of the given checks and no other; its answer, and that of the call in its way.
 */
async function callFailing(...checks: Check[]) {
  const fails = (check: Check) => checks.includes(check);
  const supplier = await service.createSupplier({ process_concurrency_limit: 1 });
  const { code } = supplier;
  let number = 'never staged';
  if (fails('account_import_process_already_imported')) {
    number = (await supplier.importAccount()).externalAccountNumber;
  } else if (!fails('import_process_does_not_exist')) {
    number = await supplier.stage();
  }
  if (fails('account_import_process_skipped')) {
    await service.staff.accountImports.skip.mutate({ code, external_account_number: number, reason: 'Test' });
  }
  using running = fails('concurrency_limit_exceeded') ? await holdAnother(supplier) : undefined;
  if (fails('import_supplier_migration_not_ongoing')) {
    await service.staff.importSuppliers.setStatus.mutate({ code, status: 'PAUSED' });
  }
  const caller = fails('import_supplier_does_not_exist') ? await service.createSupplier() : supplier;
  const { body } = await caller.post('account-import-process/process/', {
    ...supplier.processRequest(number),
    ...(fails('operations_team_name_does_not_exist') ? { operations_team_name: 'No such team' } : {}),
    ...(fails('dry_run_rolled_back') ? { dry_run: true } : {}),
    ...(fails('request_failed_validation') ? { external_account_number: 1 } : {}),
  });
  return { code: body.code, running: await running?.end() };
}

/** Takes the supplier's only slot, until `end`. */
async function holdAnother(supplier: TestSupplier) {
  const hold = await holdAccounts(service.database);
  const number = await supplier.stage({ customers: [{ family_name: hold.familyName }] });
  const answer = supplier.post('account-import-process/process/', supplier.processRequest(number));
  await hold.waitFor(1);
  return {
    [Symbol.dispose]: hold[Symbol.dispose],
    async end() {
      await hold.release();
      return (await answer).status;
    },
  };
}

describe('the order of checks in process', () => {
  test.each(pairs)('4.3 answers %s before %s', async (first, second) => {
    expect((await callFailing(first, second)).code).toBe(first);
  });

  test('4.3 lets what is being created become created, whatever is checked meanwhile', async () => {
    expect(await callFailing('concurrency_limit_exceeded')).toEqual({
      code: 'concurrency_limit_exceeded',
      running: 201,
    });
  });
});
