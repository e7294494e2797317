import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusal } from '../staff/refusal.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { obtainToken, type TrpcClient, trpcClient } from '../support/trpc-client.ts';
import { insertReconciliation } from './stored-reconciliation.ts';

const NOW = '2026-04-17T10:02:40Z';
const NOTE = 'The three accounts are corrected by hand.';
let service: TestService;
let supplier: TestSupplier;
let priya: TrpcClient;

beforeAll(async () => {
  service = await startTestService();
  supplier = await service.createSupplier();
  service.setTime(NOW);
  priya = await clientOf('Priya Raman');
});
afterAll(() => service.stop());

async function clientOf(person: string): Promise<TrpcClient> {
  const { api_key } = await service.staff.apiKeys.issueStaff.mutate({ label: 'Cutover', person });
  return trpcClient(service.url, await obtainToken(service.url, api_key));
}

const finishedAt = new Date('2026-04-17T09:30:12Z');
const different = () =>
  insertReconciliation(service.database, supplier, { verdict: 'DIFFERENT', different: 3, finishedAt });
const trailOf = (id: string) => service.staff.audit.list.query({ subject: 'reconciliation', id });

test('24.3.1 24.3.3 a named person signs a reconciliation off, which makes its import supplier reconciled', async () => {
  const id = await different();
  const signed_off = {
    person: 'Priya Raman',
    at: NOW,
    note: NOTE,
    covers:
      'The comparison that finished at 2026-04-17T09:30:12Z, DIFFERENT, with 3 differences: not what was changed after it.',
  };
  expect(await priya.reconciliations.signOff.mutate({ id, note: NOTE })).toEqual({ id, signed_off });
  expect(await trailOf(id)).toMatchObject([
    { action: 'signed_off', person: 'Priya Raman', detail: { note: NOTE, verdict: 'DIFFERENT', differences: 3 } },
  ]);
  const { conditions } = await service.staff.overview.readiness.query({ code: supplier.code });
  expect(conditions.at(-1)).toEqual({
    name: 'reconciled',
    ok: true,
    count: 3,
    sentence:
      'Reconciled at 2026-04-17T09:30:12Z: DIFFERENT, with differences in 3 accounts, signed off by Priya Raman.',
  });
});

test('24.3.1 a key that names nobody cannot sign off, and changes nothing', async () => {
  const id = await different();
  expect(await refusal(service.staff.reconciliations.signOff.mutate({ id, note: NOTE }))).toEqual({
    status: 403,
    code: 'person_required',
    attrs: [],
  });
  await expect(trailOf(id)).rejects.toThrow('There is no reconciliation with this id.');
  expect(await service.database.prisma.reconciliation.findUnique({ where: { id } })).toMatchObject({
    signed_off_at: null,
    signed_off_person: null,
  });
});

test('24.3.2 of many calls at once one signs off; the same again changes nothing', async () => {
  const id = await different();
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
  expect(await trailOf(id)).toHaveLength(1);
});

test('24.3.2 what is running, or was never created, cannot be signed off', async () => {
  const id = await different();
  await service.database.pool.query(
    `UPDATE reconciliations SET state = 'RUNNING', verdict = NULL, finished_at = NULL WHERE id = $1`,
    [id],
  );
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
