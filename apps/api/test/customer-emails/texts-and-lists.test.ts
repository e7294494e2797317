import { sendEmails } from '@causeway/domain';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, expect, test } from 'vitest';
import { allRows } from '../support/all-rows.ts';
import { startSlices } from './start-slices.ts';

const world = await startSlices();
const supplier = await world.createSupplier();
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

const loop = (words: string, times: number) => `{% for i in (1..${times}) %}${words}{% endfor %}`;
const LONG = 'x'.repeat(90_000);
const listOf = (filter: string, times: number) =>
  `{% assign a = 'x' | split: ',' %}${`{% assign a = a | ${filter}: a %}`.repeat(times)}{{ a }}`;
const ENDLESS = [
  { name: 'a subject of 999 characters', attr: 'subject', template: loop('é', 999), says: /longer than 998 / },
  {
    name: 'a text of 219,560',
    attr: 'text',
    template: loop('x'.repeat(20_000 - 40), 11),
    says: /longer than 200,000 /,
  },
  { name: 'HTML of half a gigabyte', attr: 'html', template: loop(LONG, 5_500), says: /longer than 500,000 / },
  {
    name: 'half a gigabyte that is captured',
    attr: 'html',
    template: `{% capture all %}${loop(LONG, 5_500)}{% endcapture %}{{ all | size }}`,
    says: /longer than 500,000 /,
  },
  {
    name: 'much that is captured again and again',
    attr: 'html',
    template: `{% for i in (1..9) %}{% capture all %}${loop(LONG, 5)}{% endcapture %}{% endfor %}`,
    says: /limit/,
  },
  { name: 'a list of lists, by push', attr: 'html', template: listOf('push', 22), says: /push/ },
  { name: 'a list of lists, by unshift', attr: 'text', template: listOf('unshift', 22), says: /unshift/ },
  { name: 'a list of lists, by concat', attr: 'html', template: listOf('concat', 12), says: /concat/ },
] as const;

test.each(ENDLESS)('29.4.5 no template becomes $name', async ({ attr, template, says }) => {
  const { emailTemplates } = world.service.staff;
  const { code } = await world.createSupplier();
  const texts = { subject: 'x', text: 'x', html: 'x', [attr]: template };
  const refusal = { data: { error: { code: 'email_template_invalid', errors: [{ attr }] } } };
  for (const call of [emailTemplates.set, emailTemplates.preview]) {
    const answer = call.mutate({ code, language: 'en', ...texts });
    await expect(answer).rejects.toMatchObject(refusal);
    await expect(answer).rejects.toThrow(says);
  }
  expect(await emailTemplates.list.query({ code })).toEqual([]);
});

test('29.4.5 a template becomes as long as its limits', async () => {
  const { code } = await world.createSupplier();
  const texts = {
    subject: loop('𝒙', 998),
    text: loop('x'.repeat(20_000 - 40), 10),
    html: loop('y'.repeat(50_000), 10),
  };
  const preview = await world.service.staff.emailTemplates.preview.mutate({ code, language: 'en', ...texts });
  const { subject, text, html } = preview;
  expect([[...subject].length, text.length, html.length]).toEqual([998, 199_600, 500_000]);
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

test('29.6.6 a code that was never created is refused: no empty list, and no zeros', async () => {
  const { customerEmails, emailSuppressions, emailTemplates } = world.service.staff;
  const code = 'NOBODY-2026';
  const calls = [
    ...(['QUEUED', 'SENDING', 'SENT', 'REFUSED', undefined] as const).map((state) => () => {
      return customerEmails.listOfSupplier.query({ code, state });
    }),
    () => customerEmails.countUnsettled.query({ code }),
    () => emailSuppressions.list.query({ code }),
    () => emailSuppressions.list.query({ code, masked: true }),
    () => emailTemplates.list.query({ code }),
    () => emailTemplates.get.query({ code, language: 'en' }),
  ];
  for (const call of calls) {
    const error = { code: 'import_supplier_does_not_exist', errors: [{ attr: 'code' }] };
    await expect(call()).rejects.toMatchObject({ data: { error } });
  }
  const { code: known } = await world.createSupplier();
  expect(await customerEmails.countUnsettled.query({ code: known })).toEqual({ refused: 0, given_up: 0, in_doubt: 0 });
  expect(await emailSuppressions.list.query({ code: known })).toEqual([]);
});

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
