import { removeStagedPayloads } from '@causeway/domain';
import { startServiceProcess } from '@causeway/testing';
import { expect, test } from 'vitest';
import { serviceOfFile, until } from '../support/test-service.ts';

/** By any clock. */
const LONG_AGO = '2020-01-01T00:00:00Z';
const DAY_0 = '2026-04-01T10:00:00Z';
const DAY_29 = '2026-04-30T10:00:00Z';
const DAY_30 = '2026-05-01T10:00:00Z';

const service = await serviceOfFile();
service.setTime(DAY_0);
const supplier = await service.createSupplier();

test('14.8 every view of a payload by the service team leaves who, when and in which request, before it is shown', async () => {
  const number = await supplier.stage();
  const one = { code: supplier.code, external_account_number: number };
  const views = async () => {
    const events = await service.staff.audit.list.query({ subject: 'account_import', ...one });
    return events.filter(({ action }) => action === 'payload_viewed');
  };
  expect(await views()).toEqual([]);
  const { payload } = await service.staff.accountImports.get.query(one);
  expect(payload).toMatchObject({ external_account_number: number });
  const [staffKey] = (await service.staff.apiKeys.list.query()).filter((key) => key.organisation_id === null);
  expect(await views()).toMatchObject([{ actor: 'staff', api_key_id: staffKey?.id, occurred_at: DAY_0 }]);
  await service.staff.accountImports.get.query(one);
  expect(await views()).toHaveLength(2);
});

test('14.8 the payload of an account is removed when its days after creation are over, and nothing else is', async () => {
  const { externalAccountNumber, serviceAccountNumber, id } = await supplier.importAccount();
  const pending = await supplier.stage();
  const get = (external_account_number: string) =>
    service.staff.accountImports.get.query({ code: supplier.code, external_account_number });
  const customers = await service.database.prisma.customer.findMany({ where: { account_import_id: id } });

  service.setTime(DAY_29);
  await service.startInstance();
  await removeStagedPayloads(service.database, new Date(DAY_29), 30);
  expect((await get(externalAccountNumber)).payload).not.toBeNull();

  service.setTime(DAY_30);
  const instances = [await service.startInstance(), await service.startInstance()];
  await until(async () => (await get(externalAccountNumber)).payload === null);
  expect(await get(externalAccountNumber)).toMatchObject({
    state: 'COMPLETED',
    payload: null,
    payload_removed_at: DAY_30,
    erased_at: null,
    service_account_number: serviceAccountNumber,
  });
  expect((await get(pending)).payload).not.toBeNull();
  expect(await service.database.prisma.customer.findMany({ where: { account_import_id: id } })).toEqual(customers);
  service.setTime(DAY_0);
  const again = await supplier.post('account-import-process/create-or-update/', {
    ...supplier.account(),
    external_account_number: externalAccountNumber,
  });
  expect(again.body.code).toBe('account_import_process_already_imported');
  await Promise.all(instances.map((instance) => instance.stop()));
});

test('14.8 payloads are removed in batches, each once, by several instances at the same time', async () => {
  const own = await service.createSupplier();
  await service.database.pool.query(
    `INSERT INTO account_imports (id, import_supplier_code, external_account_number, state, payload, staged_at, updated_at,
      completed_at, attempts)
    SELECT account_import_id($1, 'BATCH-' || number), $1, 'BATCH-' || number, 'COMPLETED', '{"a": 1}', $2, $2, $2, 1
    FROM generate_series(1, 1201) AS number`,
    [own.code, DAY_0],
  );
  const now = new Date('2027-01-01T00:00:00Z');
  await Promise.all([1, 2, 3].map(() => removeStagedPayloads(service.database, now, 0)));
  const { rows } = await service.database.pool.query(
    `SELECT count(*)::integer AS removed FROM account_imports
    WHERE import_supplier_code = $1 AND payload IS NULL AND payload_removed_at = $2`,
    [own.code, now],
  );
  expect(rows[0].removed).toBe(1201);
  const { rows: plan } = await service.database.pool.query(
    `EXPLAIN SELECT id FROM account_imports
    WHERE completed_at <= now() AND completed_at IS NOT NULL AND payload IS NOT NULL ORDER BY completed_at LIMIT 500`,
  );
  expect(JSON.stringify(plan)).toContain('account_imports_completed_at_with_payload_idx');
});

test('14.8 an old row that breaks a constraint keeps its payload and is named in the log, and all others lose theirs', async () => {
  const { pool } = service.database;
  const add = (number: string, attempts: number) =>
    pool.query(
      `INSERT INTO account_imports (id, import_supplier_code, external_account_number, state, payload, staged_at,
        updated_at, completed_at, attempts)
      SELECT account_import_id($1, $2), $1, $2, 'COMPLETED', '{"a": 1}', $3, $3, $3, $4 RETURNING id`,
      [supplier.code, number, LONG_AGO, attempts],
    );
  for (const number of ['OLD-1', 'OLD-2']) await add(number, 1);
  const constraint = 'account_imports_state_check';
  const { rows } = await pool.query('SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = $1', [
    constraint,
  ]);
  await pool.query(`ALTER TABLE account_imports DROP CONSTRAINT ${constraint}`);
  const broken = (await add('OLD-BROKEN', 0)).rows[0].id;
  await pool.query(`ALTER TABLE account_imports ADD CONSTRAINT ${constraint} ${rows[0].text} NOT VALID`);
  for (const number of ['OLD-3', 'OLD-4']) await add(number, 1);

  const child = await startServiceProcess({ DATABASE_URL: service.databaseUrl, STAFF_API_KEY: service.staffApiKey });
  const warning = () => child.logLines.find((line) => line.includes('staged_payloads_not_removed'));
  await until(() => warning() !== undefined);
  expect(JSON.parse(warning() ?? '')).toMatchObject({ level: 'warn', count: 1, account_import_ids: [broken] });
  const { rows: kept } = await pool.query(
    `SELECT external_account_number FROM account_imports WHERE starts_with(external_account_number, 'OLD-')
      AND payload IS NOT NULL`,
  );
  expect(kept).toEqual([{ external_account_number: 'OLD-BROKEN' }]);
  await child.terminate();
});
