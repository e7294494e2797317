import { randomUUID } from 'node:crypto';
import type { Event } from '@causeway/contracts';
import { compareMeterPoints } from '@causeway/domain';
import { mpanOf } from '@causeway/realistic-books';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { expect, test } from 'vitest';
import { createJob, ndjson, putPart, readJob } from '../bulk/bulk-calls.ts';
import { serviceWithLanes } from '../support/service-with-lanes.ts';
import { type TestSupplier, until } from '../support/test-service.ts';
import { PROCESS, STAGE } from './refused-calls.ts';

const service = await serviceWithLanes();
const CODE = 'meter_point_in_two_accounts';

let points = 0;
/** The number of a meter point that no other test has. */
function newPoint(): string {
  points += 1;
  return mpanOf(`10${String(points).padStart(10, '0')}`);
}

interface Occupancy {
  from?: string;
  to?: string;
  more?: object;
}

/** A supply address with this meter point. */
const at = (identifier: string, { from = '2019-04-01', to, more }: Occupancy = {}) => ({
  supply_address1: '12 Alder Row',
  supply_postcode: 'LS1 4AP',
  customer_at_supply_address_from_date: from,
  ...(to !== undefined && { customer_at_supply_address_to_date: to }),
  meter_points: [{ identifier, supply_type: 'ELECTRICITY' as const, ...more }],
});
const living = (identifier: string, occupancy: Occupancy = {}) => ({ supply_addresses: [at(identifier, occupancy)] });

/** Compares everything, also what the service was comparing at that moment. */
async function compare(): Promise<void> {
  while (!(await compareMeterPoints(service.database, () => new Date())));
}
const key = ({ code }: TestSupplier, external_account_number: string) => ({ code, external_account_number });

/** The other accounts that are told of each account with the remark. */
async function told({ code }: TestSupplier): Promise<Record<string, unknown>> {
  await compare();
  const open = await service.database.prisma.accountImportRefusal.findMany({
    where: { import_supplier_code: code, reported: CODE, resolved_at: null },
    orderBy: { external_account_number: 'asc' },
  });
  return Object.fromEntries(
    open.map(({ external_account_number, detail }) => [
      external_account_number,
      (detail as { other_accounts: string }).other_accounts,
    ]),
  );
}

test('4.18.6 a meter point in two accounts at the same time is remarked of both, each with the other one', async () => {
  const supplier = await service.createSupplier();
  const point = newPoint();
  const one = await supplier.stage(living(point));
  expect(await told(supplier)).toEqual({});
  const other = await supplier.stage(living(`${point.slice(0, 2)} ${point.slice(2)}`));
  await supplier.stage();
  expect(await told(supplier)).toEqual({ [one]: other, [other]: one });
  const [problem, ...others] = (await supplier.get(`problems/${supplier.code}/`)).body;
  expect(others).toEqual([]);
  expect(problem).toMatchObject({
    ...{ operation: 'stage', refused: false, code: CODE, accounts: 2 },
    attr: 'supply_addresses.*.meter_points.*.identifier',
  });
  const { refusals } = await service.staff.accountImports.get.query(key(supplier, one));
  expect(refusals).toMatchObject([
    { code: CODE, errors: [{ code: CODE, attr: 'supply_addresses.0.meter_points.0.identifier' }], times: 1 },
  ]);
  await compare();
  expect((await service.staff.accountImports.get.query(key(supplier, one))).refusals).toEqual(refusals);
});

test('27.1.5 the remark is told to the organisation once, and again if it ended meanwhile', async () => {
  const supplier = await service.createSupplier();
  const point = newPoint();
  const number = await supplier.stage(living(point));
  const other = await supplier.stage(living(point));
  const remarked = async () => {
    await compare();
    const events: Event[] = (await supplier.get('events/')).body.events;
    return events.flatMap(({ type, data }) => (type === 'account.remarked' ? data.external_account_number : [])).sort();
  };
  expect(await remarked()).toEqual([number, other].sort());
  await supplier.stage(living(point));
  expect(await remarked()).toHaveLength(3);
  for (const each of [newPoint(), point]) {
    await supplier.post(STAGE, supplier.account({ external_account_number: number, ...living(each) }));
    await compare();
  }
  expect((await remarked()).filter((each) => each === number)).toHaveLength(2);
});

test('27.1.5 4.18.6 it stays open, and is not told again, when an account is staged again with the same meter point', async () => {
  const supplier = await service.createSupplier();
  const { code } = supplier;
  const point = newPoint();
  const [one, other] = [await supplier.stage(living(point)), await supplier.stage(living(point))];
  const both = { [one]: other, [other]: one };
  expect(await told(supplier)).toEqual(both);
  await supplier.post(STAGE, supplier.account({ external_account_number: one, ...living(point) }));
  const open = { import_supplier_code: code, reported: CODE, resolved_at: null };
  expect(await service.database.prisma.accountImportRefusal.count({ where: open })).toBe(2);
  expect(await told(supplier)).toEqual(both);
  const events: Event[] = (await supplier.get('events/')).body.events;
  expect(events.filter(({ type }) => type === 'account.remarked')).toHaveLength(2);
});

test('4.18.6 accounts that are too many to be compared together are compared one by one', async () => {
  const supplier = await service.createSupplier();
  const point = newPoint();
  const [one, other] = [await supplier.stage(living(point)), await supplier.stage(living(point))];
  const { pool } = service.database;
  await pool.query(`CREATE FUNCTION refuse_several() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) FROM written) > 1 THEN RAISE EXCEPTION 'too many'; END IF; RETURN NULL; END $$`);
  await pool.query(`CREATE TRIGGER refuse_several AFTER INSERT ON meter_point_occupancies
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION refuse_several()`);
  try {
    expect(Object.keys(await told(supplier)).sort()).toEqual([one, other].sort());
  } finally {
    await pool.query('DROP FUNCTION refuse_several CASCADE');
  }
});

test.each([
  ['an account that ended before', { to: '2021-03-31' }, { from: '2021-04-01' }],
  ['an account that ended on the day', { to: '2021-04-01' }, { from: '2021-04-01' }],
  ['a supply that ended before', { more: { supply_end_date: '2021-03-31' } }, { from: '2021-04-01' }],
  ['a supply that began later', { to: '2021-03-31' }, { more: { supply_start_date: '2021-04-01' } }],
])('4.18.6 %s is a change of occupier', async (_, former, present) => {
  const supplier = await service.createSupplier();
  const point = newPoint();
  await supplier.importAccount(living(point, former));
  await supplier.stage(living(point, present));
  expect(await told(supplier)).toEqual({});
  const third = await supplier.stage(living(point, { from: '2021-01-01' }));
  expect(Object.keys(await told(supplier))).toContain(third);
});

test('4.18.6 it ends for both when one is staged otherwise, skipped or erased, and comes back when it is unskipped', async () => {
  const supplier = await service.createSupplier();
  const pair = async () => {
    const point = newPoint();
    const one = await supplier.stage(living(point));
    const { externalAccountNumber: other } = await supplier.importAccount(living(point));
    expect(await told(supplier)).toEqual({ [one]: other, [other]: one });
    return { point, one, other };
  };
  const corrected = await pair();
  await supplier.post(STAGE, supplier.account({ external_account_number: corrected.one, ...living(newPoint()) }));
  expect(await told(supplier)).toEqual({});
  await supplier.post(STAGE, supplier.account({ external_account_number: corrected.one, ...living(corrected.point) }));
  expect(Object.keys(await told(supplier)).sort()).toEqual([corrected.one, corrected.other].sort());
  await service.staff.accountImports.skip.mutate({ ...key(supplier, corrected.one), reason: 'Exported twice' });
  expect(await told(supplier)).toEqual({});
  await service.staff.accountImports.unskip.mutate(key(supplier, corrected.one));
  expect(Object.keys(await told(supplier)).sort()).toEqual([corrected.one, corrected.other].sort());
  await service.staff.accounts.erase.mutate({ ...key(supplier, corrected.other), reason: 'Asked for' });
  expect(await told(supplier)).toEqual({});
});

test('4.18.6 14.8.3 an erasure removes the digests of the account with everything else', async () => {
  const supplier = await service.createSupplier();
  const { id, externalAccountNumber } = await supplier.importAccount(living(newPoint()));
  await compare();
  const digests = () => service.database.prisma.meterPointOccupancy.count({ where: { account_import_id: id } });
  expect(await digests()).toBe(1);
  await service.staff.accounts.erase.mutate({ ...key(supplier, externalAccountNumber), reason: 'Asked for' });
  expect(await digests()).toBe(0);
  await compare();
  expect(await digests()).toBe(0);
});

test('4.18.6 of several accounts each has the remark until it is the last one', async () => {
  const supplier = await service.createSupplier();
  const point = newPoint();
  const all: string[] = [];
  for (let count = 0; count < 5; count += 1) all.push(await supplier.stage(living(point)));
  expect(Object.keys(await told(supplier)).sort()).toEqual([...all].sort());
  while (all.length > 2) {
    await service.staff.accountImports.skip.mutate({ ...key(supplier, String(all.pop())), reason: 'Not migrated' });
    const remarked = await told(supplier);
    expect(Object.keys(remarked).sort()).toEqual([...all].sort());
    for (const [number, other] of Object.entries(remarked)) {
      expect(all.filter((each) => each !== number)).toContain(other);
    }
  }
  await service.staff.accountImports.skip.mutate({ ...key(supplier, String(all.pop())), reason: 'Not migrated' });
  expect(await told(supplier)).toEqual({});
});

test('4.18.6 several meter points are named by their fields, with the other accounts of all of them', async () => {
  const supplier = await service.createSupplier();
  const [electricity, gas] = [newPoint(), newPoint()];
  const [first, second] = [await supplier.stage(living(electricity)), await supplier.stage(living(gas))];
  const { meter_points, ...address } = at(electricity);
  const mpxn = { mpxn: gas, supply_type: 'GAS' as const };
  const both = await supplier.stage({ supply_addresses: [{ ...address, meter_points: [...meter_points, mpxn] }] });
  expect(await told(supplier)).toEqual({ [first]: both, [second]: both, [both]: [first, second].sort().join(', ') });
  const { refusals } = await service.staff.accountImports.get.query(key(supplier, both));
  const remark = refusals.find(({ code }) => code === CODE);
  expect(remark?.errors.map(({ attr }) => attr)).toEqual([
    'supply_addresses.0.meter_points.0.identifier',
    'supply_addresses.0.meter_points.1.mpxn',
  ]);
});

test('4.18.6 accounts of two suppliers, and twice the same in one account, share nothing', async () => {
  const [one, other] = [await service.createSupplier(), await service.createSupplier()];
  const point = newPoint();
  await one.stage({ supply_addresses: [at(point), at(point)] });
  await other.stage(living(point));
  expect([await told(one), await told(other)]).toEqual([{}, {}]);
});

test('4.18.6 an identifier that begins like the rest of the code of another supplier shares nothing with it', async () => {
  const code = `SHORT-${randomUUID().slice(0, 8).toUpperCase()}`;
  const [short, long] = [
    await service.createSupplier({ code }),
    await service.createSupplier({ code: `${code} 2026` }),
  ];
  await short.stage(living('2026 12345'));
  await long.stage(living('12345'));
  expect([await told(short), await told(long)]).toEqual([{}, {}]);
});

test('4.18.6 all accounts are compared again when the setting becomes another one', async () => {
  const supplier = await service.createSupplier({ suspect_data_by_code: { [CODE]: 'OFF' } });
  const { code } = supplier;
  const point = newPoint();
  const [one, other] = [await supplier.stage(living(point)), await supplier.stage(living(point))];
  expect(await told(supplier)).toEqual({});
  await service.staff.importSuppliers.update.mutate({ code, suspect_data_by_code: {} });
  expect(await undecidedOf(code)).toMatchObject({ ok: false });
  expect(await told(supplier)).toEqual({ [one]: other, [other]: one });
  await service.staff.importSuppliers.update.mutate({ code, suspect_data: 'OFF' });
  expect(await told(supplier)).toEqual({});
});

test('4.18.6 that is not forgotten by an instance that was comparing when the setting changed', async () => {
  const supplier = await service.createSupplier({ suspect_data: 'OFF' });
  const { code } = supplier;
  const point = newPoint();
  const both = [await supplier.stage(living(point)), await supplier.stage(living(point))];
  await compare();
  await supplier.stage();
  using staff = await borrowConnection(service.database.pool);
  try {
    await staff.query('BEGIN');
    await staff.query(`UPDATE import_suppliers SET suspect_data = 'REPORT' WHERE code = $1`, [code]);
    await staff.query('UPDATE meter_point_cursors SET staging_order = 0 WHERE import_supplier_code = $1', [code]);
    const comparing = compare();
    await until(async () => {
      const { rows } = await service.database.pool.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%meter_point_cursors%'`,
      );
      return rows.length > 0;
    });
    await staff.query('COMMIT');
    await comparing;
    expect(Object.keys(await told(supplier)).sort()).toEqual(both.sort());
  } finally {
    staff.release();
  }
});

test('4.18.6 lines of a MOVE are compared like accounts of calls, and the remark stays when an account is created', async () => {
  const supplier = await service.createSupplier();
  const point = newPoint();
  const one = await supplier.stage(living(point));
  const account = supplier.account(living(point));
  const id = await createJob(supplier);
  await putPart(supplier, { id }, ndjson([{ account }]));
  await supplier.post(`bulk-jobs/${id}/start/`, { run_mode: 'REAL' });
  await until(async () => (await readJob(supplier, id)).state === 'FINISHED');
  const both = { [one]: account.external_account_number, [account.external_account_number]: one };
  expect(await told(supplier)).toEqual(both);
  await supplier.post(PROCESS, supplier.processRequest(one));
  expect(await told(supplier)).toEqual(both);
  const { counts } = await service.staff.importSuppliers.get.query({ code: supplier.code });
  expect(counts).toMatchObject({ completed: 2, complete: 2 });
});

test('4.18.2 OFF is not told, REFUSE of all codes is told, and REFUSE of this one is refused', async () => {
  const point = newPoint();
  const of = async (settings: object) => {
    const supplier = await service.createSupplier({ suspect_data: 'REFUSE', ...settings });
    expect((await supplier.post(STAGE, supplier.account(living(point)))).status).toBe(201);
    expect((await supplier.post(STAGE, supplier.account(living(point)))).status).toBe(201);
    return Object.keys(await told(supplier)).length;
  };
  expect(await of({})).toBe(2);
  expect(await of({ suspect_data_by_code: { [CODE]: 'OFF' } })).toBe(0);
  await expect(of({ suspect_data_by_code: { [CODE]: 'REFUSE' } })).rejects.toThrow(`suspect_data_by_code.${CODE}`);
});

async function undecidedOf(code: string) {
  const { conditions } = await service.staff.overview.readiness.query({ code });
  return conditions.find(({ name }) => name === 'no_undecided_remark');
}

test('24.2.4 a migration is not ready while meter points are still being compared', async () => {
  const supplier = await service.createSupplier();
  await compare();
  using other = await borrowConnection(service.database.pool);
  try {
    await other.query('BEGIN');
    await other.query('SELECT pg_advisory_xact_lock(4210007)');
    await supplier.stage();
    expect(await undecidedOf(supplier.code)).toMatchObject({
      ok: false,
      sentence: expect.stringContaining('compared'),
    });
    await other.query('COMMIT');
    await compare();
    expect(await undecidedOf(supplier.code)).toMatchObject({ ok: true, count: 0 });
  } finally {
    other.release();
  }
});

test('24.2.4 nor while accounts that were staged again are', async () => {
  const supplier = await service.createSupplier();
  const point = newPoint();
  const numbers = [await supplier.stage(), await supplier.stage()];
  await compare();
  using other = await borrowConnection(service.database.pool);
  try {
    await other.query('BEGIN');
    await other.query('SELECT pg_advisory_xact_lock(4210007)');
    for (const external_account_number of numbers) {
      await supplier.post(STAGE, supplier.account({ external_account_number, ...living(point) }));
    }
    expect(await undecidedOf(supplier.code)).toMatchObject({ ok: false });
    await other.query('COMMIT');
    await compare();
    expect(await undecidedOf(supplier.code)).toMatchObject({ ok: false, count: 1 });
  } finally {
    other.release();
  }
});

test('4.18.4 a person decides about it, which lets the migration be ready', async () => {
  const supplier = await service.createSupplier();
  const { code } = supplier;
  const point = newPoint();
  await supplier.stage(living(point));
  await supplier.stage(living(point));
  await compare();
  const undecided = async () => (await undecidedOf(code))?.count;
  expect(await undecided()).toBe(1);
  await service.staff.importSuppliers.decideRemark.mutate({
    ...{ code, operation: 'stage', remark: CODE, attr: 'supply_addresses.*.meter_points.*.identifier' },
    ...{ decision: 'ACCEPTED', reason: 'A landlord and a tenant' },
  });
  expect(await undecided()).toBe(0);
});

test('4.18.6 an account whose staging commits after later ones is compared too', async () => {
  const supplier = await service.createSupplier();
  const point = newPoint();
  using late = await borrowConnection(service.database.pool);
  const number = supplier.account().external_account_number;
  const other = await supplier.stage(living(point));
  try {
    await late.query('BEGIN');
    await late.query('SELECT share_import_supplier($1, true)', [supplier.code]);
    await late.query(
      `INSERT INTO account_imports (id, import_supplier_code, external_account_number, state, payload, staged_at, updated_at)
      VALUES (account_import_id($1, $2), $1, $2, 'STAGED', $3, now(), now())`,
      [supplier.code, number, JSON.stringify(supplier.account({ external_account_number: number, ...living(point) }))],
    );
    const later = await supplier.stage(living(point));
    expect(await told(supplier)).toEqual({});
    await late.query('COMMIT');
    expect(Object.keys(await told(supplier)).sort()).toEqual([number, other, later].sort());
  } finally {
    late.release();
  }
});

test('4.18.6 several instances compare together, and a remark that a call is writing is compared again', async () => {
  const supplier = await service.createSupplier();
  const point = newPoint();
  const one = await supplier.stage(living(point));
  const other = await supplier.stage(living(point));
  await Promise.all([compare(), compare(), compare()]);
  expect(Object.keys(await told(supplier)).sort()).toEqual([one, other].sort());
  using call = await borrowConnection(service.database.pool);
  try {
    await call.query('BEGIN');
    await call.query('SELECT FROM account_import_refusals WHERE external_account_number = $1 FOR UPDATE', [one]);
    await service.staff.accountImports.skip.mutate({ ...key(supplier, other), reason: 'Not migrated' });
    expect(await told(supplier)).toEqual({ [one]: other });
    await call.query('COMMIT');
    expect(await told(supplier)).toEqual({});
  } finally {
    call.release();
  }
});

test('4.18.6 accounts at one placeholder, 250 of them, are compared with few of the others, and all have the remark', async () => {
  const supplier = await service.createSupplier();
  const id = await createJob(supplier);
  const accounts = Array.from({ length: 250 }, () => supplier.account(living('0')));
  await putPart(supplier, { id }, ndjson(accounts.map((account) => ({ account }))));
  await supplier.post(`bulk-jobs/${id}/start/`, { run_mode: 'REAL' });
  await until(async () => (await readJob(supplier, id)).state === 'FINISHED');
  expect(Object.keys(await told(supplier))).toHaveLength(250);
  const { rows } = await service.database.pool.query(
    `SELECT max(count)::integer AS most FROM (
      SELECT count(*) FROM meter_point_occupancies AS one JOIN account_imports AS import ON import.id = shared_with
      WHERE import_supplier_code = $1 GROUP BY shared_with) AS others`,
    [supplier.code],
  );
  expect(rows[0].most).toBeLessThan(20);
});
