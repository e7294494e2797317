import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { refusal } from '../staff/refusal.ts';
import { serviceWithLanes } from '../support/service-with-lanes.ts';
import { obtainToken, type TestSupplier, type TrpcClient, trpcClient } from '../support/test-service.ts';
import { lodge, putOffReconciliation, reconcile } from './reconcile.ts';

/** Later than any reconciliation, and the time of the keys that sign. */
const NOW = '2126-04-17T10:02:40Z';
const NOTE = 'The three accounts are corrected by hand.';

const service = await serviceWithLanes();
const supplier = await service.createSupplier();
service.setTime(NOW);
const priya = await clientOf('Priya Raman');

async function clientOf(person: string): Promise<TrpcClient> {
  const { api_key } = await service.staff.apiKeys.issueStaff.mutate({ label: 'Cutover', person });
  return trpcClient(service.url, await obtainToken(service.url, api_key));
}

const LINES = ['NEVER-1', 'NEVER-2', 'NEVER-3'].map((external_account_number) => ({ external_account_number }));

/** Does it as the supplier, today. */
async function today<Result>(work: () => Promise<Result>): Promise<Result> {
  service.setTime(undefined);
  const result = await work();
  service.setTime(NOW);
  return result;
}

const different = () => today(() => reconcile(supplier, { lines: LINES }));
const lastOf = async ({ code }: TestSupplier) =>
  (await service.staff.overview.migrations.query()).find((row) => row.code === code)?.last_reconciliation;
const trailOf = (id: string) => service.staff.audit.list.query({ subject: 'reconciliation', id });

test('14.9.3 24.3.1 24.3.3 24.3.4 a named person signs a reconciliation off, which makes its import supplier reconciled', async () => {
  const { id, finished_at } = await different();
  const signed_off = {
    person: 'Priya Raman',
    at: NOW,
    note: NOTE,
    covers: `The comparison that finished at ${finished_at}, DIFFERENT, with 3 differences: not what was changed after it.`,
  };
  const last = { id, state: 'FINISHED', verdict: 'DIFFERENT', finished_at };
  expect(await lastOf(supplier)).toEqual({ ...last, signed_off: false });
  expect(await priya.reconciliations.signOff.mutate({ id, note: NOTE })).toEqual({ id, signed_off });
  expect(await lastOf(supplier)).toEqual({ ...last, signed_off: true });
  expect((await trailOf(id)).slice(2)).toMatchObject([
    { action: 'signed_off', person: 'Priya Raman', detail: { note: NOTE, verdict: 'DIFFERENT', differences: 3 } },
  ]);
  const { dataImport } = priya;
  expect(await dataImport.reconciliation.query({ reconciliation_id: id })).toMatchObject({ signed_off });
  const listed = await dataImport.listReconciliations.query({ import_supplier: supplier.code });
  expect(listed.find((one) => one.id === id)).toMatchObject({ signed_off });
  const { conditions } = await service.staff.overview.readiness.query({ code: supplier.code });
  expect(conditions.at(-1)).toEqual({
    name: 'reconciled',
    ok: true,
    count: 3,
    sentence: `Reconciled at ${finished_at}: different in 3 accounts, signed off by Priya Raman.`,
  });
});

test('24.3.1 a key that names nobody cannot sign off, and changes nothing', async () => {
  const { id } = await different();
  expect(await refusal(service.staff.reconciliations.signOff.mutate({ id, note: NOTE }))).toEqual({
    status: 403,
    code: 'person_required',
    attrs: [],
  });
  expect(await trailOf(id)).toMatchObject([{ action: 'created' }, { action: 'finished' }]);
  expect(await service.database.prisma.reconciliation.findUnique({ where: { id } })).toMatchObject({
    signed_off_at: null,
    signed_off_person: null,
  });
});

test('24.3.2 of many calls at once one signs off; the same again changes nothing', async () => {
  const { id } = await different();
  const others = await Promise.all(['Ben Okafor', 'Ana Ruiz', 'Tom Berg'].map(clientOf));
  const answers = await Promise.all(
    others.map((other) => other.reconciliations.signOff.mutate({ id, note: NOTE }).catch(() => undefined)),
  );
  const [signed, ...more] = answers.filter((answer) => answer !== undefined);
  expect(more).toEqual([]);
  const signer = others[answers.indexOf(signed)] as TrpcClient;
  expect(await signer.reconciliations.signOff.mutate({ id, note: NOTE })).toEqual(signed);
  expect(await refusal(signer.reconciliations.signOff.mutate({ id, note: 'Another note' }))).toEqual({
    status: 409,
    code: 'reconciliation_state_not_allowed',
    attrs: ['id'],
  });
  expect((await trailOf(id)).filter(({ action }) => action === 'signed_off')).toHaveLength(1);
});

test('24.3.2 what is running, or was never created, cannot be signed off', async () => {
  const id = await putOffReconciliation(service.database, await today(() => lodge(supplier, { lines: LINES })));
  expect(await refusal(priya.reconciliations.signOff.mutate({ id, note: NOTE }))).toMatchObject({
    code: 'reconciliation_state_not_allowed',
  });
  expect(await refusal(priya.reconciliations.signOff.mutate({ id: randomUUID(), note: NOTE }))).toEqual({
    status: 404,
    code: 'reconciliation_does_not_exist',
    attrs: ['id'],
  });
  expect(await refusal(priya.reconciliations.signOff.mutate({ id, note: ' ' }))).toMatchObject({ attrs: ['note'] });
});
