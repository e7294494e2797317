import { sendEmails } from '@causeway/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allRows } from '../support/all-rows.ts';
import { type SlicesWorld, startSlices } from './start-slices.ts';

let world: SlicesWorld;
beforeAll(async () => {
  world = await startSlices();
});
afterAll(() => world.stop());

const LINKS = [
  {
    name: 'a page',
    email_unsubscribe: 'https://northwind.example/no-more?from=causeway',
    header: ['List-Unsubscribe'],
  },
  { name: 'an address', email_unsubscribe: 'mailto:no-more@northwind.example', header: ['List-Unsubscribe'] },
  { name: 'nothing', email_unsubscribe: undefined, header: [] },
];

test.each(LINKS)('29.3.9 every e-mail says that no person wrote it, and has $name to unsubscribe at', async (link) => {
  const { email_unsubscribe, header } = link;
  const supplier = await world.createSupplier({ email_unsubscribe });
  const [to = ''] = await world.move(supplier, 1);
  expect((await sendEmails(world.sender(), supplier.code)).counts).toEqual({ SENT: 1 });
  const { raw = '' } = world.mailServer.mails.find((mail) => mail.to === to) ?? {};
  const lines = raw.slice(0, raw.indexOf('\r\n\r\n')).split('\r\n');
  const named = (name: string) => lines.filter((line) => line.startsWith(`${name}: `));
  expect(named('Auto-Submitted')).toEqual(['Auto-Submitted: auto-generated']);
  expect(named('List-Unsubscribe')).toEqual(header.map((name) => `${name}: <${email_unsubscribe}>`));
});

test('29.4.3 a preview shows what an invented customer would get, stores nothing and sends nothing', async () => {
  const { code } = await world.createSupplier();
  const preview = (texts: object) =>
    world.service.staff.emailTemplates.preview.mutate({ code, language: 'cy', ...texts });
  const [rows, mails] = [await allRows(world.service.database, { refusals: true }), world.mailServer.mails.length];
  const texts = {
    subject: 'Croeso {{ customer.name }}',
    text: '{{ customer.given_name }}',
    html: '<b>{{ customer.name }}</b>',
  };
  expect(await preview(texts)).toMatchObject({
    subject: "Croeso Zoë O'Hartley & Sons",
    html: '<b>Zoë O&#39;Hartley &amp; Sons</b>',
  });
  // That of the service, while the supplier has none.
  expect((await preview({})).subject).toMatch(/^Your new account number: /);
  await expect(preview({ ...texts, html: '{% if %}' })).rejects.toThrow(/line 1/);
  expect(await allRows(world.service.database, { refusals: true })).toEqual(rows);
  expect(world.mailServer.mails.length).toBe(mails);
});

test('29.5.1 a list is added to, shown and removed from, with audit events that have no address', async () => {
  const { staff, database } = world.service;
  const [supplier, other] = [await world.createSupplier(), await world.createSupplier()];
  const { code } = supplier;
  const [waiting = ''] = await world.move(supplier, 1);
  const [same = ''] = await world.move(other, 1);
  const { id, reason } = await staff.emailSuppressions.add.mutate({ code, address: waiting.toUpperCase() });
  // The address of the other's customer is on a list that is not its supplier's.
  const { id: foreign } = await staff.emailSuppressions.add.mutate({ code, address: same });
  const again = await staff.emailSuppressions.add.mutate({ code, address: waiting });
  expect([reason, again.id]).toEqual(['STAFF', id]);
  expect((await staff.emailSuppressions.list.query({ code })).map((entry) => entry.id)).toEqual([id, foreign]);
  expect(await world.stateOf(waiting)).toMatchObject({ state: 'QUEUED' });
  const sending = world.sender();
  expect((await sendEmails(sending, code)).counts).toEqual({ NOT_SENT: 1 });
  expect((await sendEmails(sending, other.code)).counts).toEqual({ SENT: 1 });
  expect(await world.stateOf(waiting)).toMatchObject({ state: 'NOT_SENT', reason: 'SUPPRESSED', attempts: 0 });
  expect(world.mailServer.attempts(waiting)).toBe(0);
  await staff.emailSuppressions.remove.mutate({ code, id });
  expect((await staff.emailSuppressions.list.query({ code })).map((entry) => entry.id)).toEqual([foreign]);
  const elsewhere = staff.emailSuppressions.remove.mutate({ code: other.code, id: foreign });
  await expect(elsewhere).rejects.toThrow(/no entry/);
  const trail = await staff.audit.list.query({ subject: 'import_supplier', code });
  const actions = trail.map(({ action }) => action).filter((action) => action.startsWith('email_suppression_'));
  expect(actions.sort()).toEqual([
    ...['email_suppression_added', 'email_suppression_added', 'email_suppression_added'],
    'email_suppression_removed',
  ]);
  expect(JSON.stringify(trail)).not.toContain('@example');
  expect(await database.prisma.emailSuppression.count({ where: { import_supplier_code: code } })).toBe(1);
});
