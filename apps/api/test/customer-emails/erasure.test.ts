import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestSupplier } from '../support/test-supplier.ts';
import { type SlicesWorld, startSlices } from './start-slices.ts';

let world: SlicesWorld;
let supplier: TestSupplier;
beforeAll(async () => {
  world = await startSlices();
  supplier = await world.createSupplier();
});
afterAll(() => world.stop());

const addressesOf = async (code: string) =>
  (await world.service.staff.emailSuppressions.list.query({ code })).map(({ address }) => address);
const suppress = (code: string, address: string) => world.service.staff.emailSuppressions.add.mutate({ code, address });
const erase = (code: string, external_account_number: string) =>
  world.service.staff.accounts.erase.mutate({ code, external_account_number, reason: 'Asked for' });

const person = (email: string, more: object = {}) => ({ given_name: 'Zoë', family_name: 'Hartley', email, ...more });
/** Accounts whose addresses have no e-mail: it is said only why. */
const WITHOUT = [
  {
    name: 'of somebody who wants letters',
    of: (to: string) => ({ communication_preference: 'PRINT', customers: [person(to)] }),
  },
  { name: 'of somebody who has died', of: (to: string) => ({ customers: [person(to, { deceased: 'Reported' })] }) },
  { name: 'on the bill', of: (to: string) => ({ billing_email: to, customers: [person('someone@example.com')] }) },
];

test.each(WITHOUT)('29.6.3 an erasure takes an address $name from the list', async ({ name, of }) => {
  const { code } = supplier;
  const address = `Erased.${WITHOUT.findIndex((each) => each.name === name)}@example.com`;
  const other = 'stays@example.com';
  await suppress(code, address);
  await suppress(code, other);
  const { externalAccountNumber } = await supplier.importAccount(of(address.toLowerCase()));
  await erase(code, externalAccountNumber);
  const left = await addressesOf(code);
  expect([left.includes(address), left.includes(other)]).toEqual([false, true]);
  expect((await suppress(code, address)).reason).toBe('STAFF');
});

test('29.6.3 an erasure takes it also from the list of a supplier that sends nothing, and of an account only staged', async () => {
  const quiet = await world.service.createSupplier();
  const { code } = quiet;
  for (const address of ['created@example.com', 'staged@example.com']) await suppress(code, address);
  const { externalAccountNumber } = await quiet.importAccount({ customers: [person('created@example.com')] });
  await erase(code, externalAccountNumber);
  await erase(code, await quiet.stage({ customers: [person('staged@example.com')] }));
  expect(await addressesOf(code)).toEqual([null, null]);
});

test('29.6.3 an erasure waits for what is just being written of an e-mail, and takes its address too', async () => {
  const { code } = supplier;
  const [to = ''] = await world.move(supplier, 1);
  const { id } = await world.stateOf(to);
  const [{ number = '' } = {}] = await world.service.database.prisma.$queryRaw<{ number?: string }[]>`
    SELECT external_account_number AS number FROM account_imports
    WHERE id = (SELECT account_import_id FROM customer_emails WHERE address = ${to})`;
  using client = await borrowConnection(world.service.database.pool);
  try {
    await client.query('BEGIN');
    await client.query("UPDATE customer_emails SET state = 'REFUSED', next_attempt_at = NULL WHERE id = $1", [id]);
    await client.query(
      `INSERT INTO email_suppressions (import_supplier_code, address_digest, address, reason, created_at)
      SELECT import_supplier_code, address_digest, address, 'REFUSED', now() FROM customer_emails WHERE id = $1`,
      [id],
    );
    const erasing = erase(code, number);
    await untilSomebodyWaits();
    await client.query('COMMIT');
    await erasing;
  } finally {
    client.release();
  }
  expect(await addressesOf(code)).not.toContain(to);
});

async function untilSomebodyWaits(): Promise<void> {
  const { pool } = world.service.database;
  for (;;) {
    const { rowCount } = await pool.query(
      "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
    if (rowCount !== 0) return;
  }
}
