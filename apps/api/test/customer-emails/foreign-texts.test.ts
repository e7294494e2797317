import { sendEmails } from '@causeway/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS, type SlicesWorld, startSlices } from './start-slices.ts';

// What suppliers write is not what the platform says.

let world: SlicesWorld;
beforeAll(async () => {
  world = await startSlices();
});
afterAll(() => world.stop());

const HOSTILE = 'Your account is blocked. Pay at https://evil.example/pay';
const received = (to: string) => {
  const { parsed } = world.mailServer.mails.findLast((mail) => mail.to === to) ?? {};
  return [parsed?.subject, parsed?.text, parsed?.html].join('\n');
};

test('29.4.7 the text of the service has no name and no salutation that a supplier has sent', async () => {
  const supplier = await world.createSupplier();
  const customer = { given_name: 'Blocked', family_name: 'Call us', title: 'Pay', salutation: HOSTILE };
  const [to = ''] = await world.move(supplier, 1, customer);
  expect((await sendEmails(world.sender(), supplier.code)).counts).toEqual({ SENT: 1 });
  expect(received(to)).toContain('Hello,\n');
  expect(received(to)).toMatch(/Your previous account number was/);
  expect(received(to)).not.toMatch(/blocked|call us|pay|evil/i);
});

const SENTENCES = [
  HOSTILE,
  'Pay now or we will cut you off',
  'x'.repeat(41),
  'evil.example',
  'REFUND: GO-PAY.COM?ID',
  'PAY EVIL.COM TODAY',
  'CALL 0900-123456 NOW',
  'X1.COM',
];

test.each(SENTENCES)('29.4.7 the text of the service does not repeat the account number %j', async (number) => {
  const supplier = await world.createSupplier();
  const email = `number.${Math.random()}@example.com`;
  await supplier.importAccount({ external_account_number: number, customers: [{ given_name: 'Zoë', email }] });
  expect((await sendEmails(world.sender(), supplier.code)).counts).toEqual({ SENT: 1 });
  expect(received(email)).toMatch(/Your new account number is/);
  expect(received(email)).not.toContain('previous account number');
  expect(received(email)).not.toContain(number);
});

test('29.4.7 anyone who sets a template chooses such texts, and never gets a link or an address in them', async () => {
  const supplier = await world.createSupplier();
  const text = '[{{ customer.salutation }}|{{ customer.name }}|{{ customer.title }}|{{ account.billing_name }}]';
  const texts = { subject: 'Croeso {{ customer.name }}', text, html: text };
  await world.service.staff.emailTemplates.set.mutate({ code: supplier.code, language: 'en', ...texts });
  const [good = ''] = await world.move(supplier, 1, { salutation: 'Dear Ms Hartley', title: 'Ms' });
  const links = { salutation: HOSTILE, title: 'evil.example', given_name: 'evil.example', family_name: 'Hartley' };
  const [hostile = ''] = await world.move(supplier, 1, links);
  expect((await sendEmails(world.sender(), supplier.code)).counts).toEqual({ SENT: 2 });
  expect(received(good)).toContain('Croeso Zoë Hartley\n[Dear Ms Hartley|Zoë Hartley|Ms|');
  expect(received(hostile)).toContain('Croeso Hartley\n[|Hartley||');
  expect(received(hostile)).not.toContain('evil');
});

test.each([
  ['T.CO/XYZ', ''],
  ['X.COM', ''],
  ['0113–496–0123', ''],
  ['Call 0113 4', ''],
  ['evil . com', ''],
  ['[2001:db8::1]', ''],
  ['text 85258', ''],
  ['St.John', ''],
  ['J.R.R. Tolkien', 'J.R.R. Tolkien'],
  ['Siân O’Brien-Nuñez Jr.', 'Siân O’Brien-Nuñez Jr.'],
  ['渡辺 さくら', '渡辺 さくら'],
])('29.4.7 of the family name %j a template shows %j', async (family_name, shown) => {
  const supplier = await world.createSupplier();
  const text = '[{{ customer.family_name }}]';
  const texts = { subject: 'Hello', text, html: text };
  await world.service.staff.emailTemplates.set.mutate({ code: supplier.code, language: 'en', ...texts });
  const [to = ''] = await world.move(supplier, 1, { given_name: 'Zoë', family_name });
  expect((await sendEmails(world.sender(), supplier.code)).counts).toEqual({ SENT: 1 });
  expect(received(to)).toContain(`[${shown}]`);
});

test('29.3.10 a mailbox gets so many e-mails of an organisation in 24 hours; the others wait', async () => {
  const one = await world.createSupplier();
  const suppliers = [one, await world.createSupplier({ of: one })];
  const variants = ['flooded@example.com', 'Flooded@Example.com', 'flooded+1@example.com', 'flooded+a+b@example.com'];
  for (const supplier of suppliers) {
    for (const email of variants) await supplier.importAccount({ customers: [{ given_name: 'Zoë', email }] });
  }
  const [other = ''] = await world.move(suppliers[0] ?? (await world.createSupplier()), 1);
  const first = world.sender({ perMailbox: 3 });
  const instances = [first, { ...first, transport: world.sender().transport }];
  // Until nothing is left: one takes nothing while another does.
  for (let round = 0; round < 8; round += 1) {
    await Promise.all(suppliers.flatMap(({ code }) => instances.map((instance) => sendEmails(instance, code))));
    first.moveOn(100);
  }
  const { customerEmails } = world.service.staff;
  const listed = await Promise.all(
    suppliers.flatMap(({ code }) =>
      (['QUEUED', 'SENT'] as const).map((state) => customerEmails.listOfSupplier.query({ code, state })),
    ),
  );
  const told = listed.flat().map(({ state, reason, attempts }) => [state, reason, attempts].join(' '));
  expect(told.sort()).toEqual([
    ...Array.from({ length: 5 }, () => 'QUEUED MAILBOX_LIMIT 0'),
    ...Array.from({ length: 4 }, () => 'SENT  1'),
  ]);
  expect(world.mailServer.mails.filter(({ to }) => /^flooded/i.test(to)).length).toBe(3);
  expect(await world.stateOf(other)).toMatchObject({ state: 'SENT' });
  // Another organisation has its own number of e-mails to this mailbox.
  const stranger = await world.createSupplier();
  await stranger.importAccount({ customers: [{ given_name: 'Zoë', email: variants[0] }] });
  expect((await sendEmails(first, stranger.code)).counts).toEqual({ SENT: 1 });
  // Hour by hour it is tried again, and a day later there is room.
  const sendAll = () => Promise.all(suppliers.map(({ code }) => sendEmails(first, code)));
  first.moveOn(23 * 60 * MINUTE_MS);
  await sendAll();
  expect(world.mailServer.mails.filter(({ to }) => /^flooded/i.test(to)).length).toBe(4);
  first.moveOn(2 * 60 * MINUTE_MS);
  for (let round = 0; round < 4; round += 1) {
    await sendAll();
    first.moveOn(100);
  }
  expect(world.mailServer.mails.filter(({ to }) => /^flooded/i.test(to)).length).toBe(7);
});
