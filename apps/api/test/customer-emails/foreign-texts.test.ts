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

const SENTENCES = [HOSTILE, 'Pay now or we will cut you off', 'x'.repeat(41), 'evil.example'];

test.each(SENTENCES)('29.4.7 the text of the service does not repeat the account number %j', async (number) => {
  const supplier = await world.createSupplier();
  const email = `number.${Math.random()}@example.com`;
  await supplier.importAccount({ external_account_number: number, customers: [{ given_name: 'Zoë', email }] });
  expect((await sendEmails(world.sender(), supplier.code)).counts).toEqual({ SENT: 1 });
  expect(received(email)).toMatch(/Your new account number is/);
  expect(received(email)).not.toContain('previous account number');
  expect(received(email)).not.toContain(number);
});

test('29.4.7 whoever sets a template chooses such texts, and never gets a link or an address in them', async () => {
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

test('29.3.10 a mailbox gets so many e-mails in 24 hours, of all suppliers and instances together', async () => {
  const suppliers = [await world.createSupplier(), await world.createSupplier()];
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
      (['NOT_SENT', 'SENT'] as const).map((state) => customerEmails.listOfSupplier.query({ code, state })),
    ),
  );
  const told = listed.flat().map(({ state, reason, attempts }) => [state, reason, attempts].join(' '));
  expect(told.sort()).toEqual([
    ...Array.from({ length: 5 }, () => 'NOT_SENT MAILBOX_LIMIT 0'),
    ...Array.from({ length: 4 }, () => 'SENT  1'),
  ]);
  expect(world.mailServer.mails.filter(({ to }) => /^flooded/i.test(to)).length).toBe(3);
  expect(await world.stateOf(other)).toMatchObject({ state: 'SENT' });
  // Again by hand: too many still, and a day later not any more.
  const [left] = listed.flat().filter(({ reason }) => reason === 'MAILBOX_LIMIT');
  const sendAgain = async () => {
    await customerEmails.sendAgain.mutate({ id: left?.id ?? '' });
    await Promise.all(suppliers.map(({ code }) => sendEmails(first, code)));
    const { state, reason } = await world.service.database.prisma.customerEmail.findUniqueOrThrow({
      where: { id: left?.id ?? '' },
    });
    return [state, reason];
  };
  first.moveOn(23 * 60 * MINUTE_MS);
  await sendAgain();
  expect(await sendAgain()).toEqual(['NOT_SENT', 'MAILBOX_LIMIT']);
  first.moveOn(2 * 60 * MINUTE_MS);
  await sendAgain();
  expect(world.mailServer.mails.filter(({ to }) => /^flooded/i.test(to)).length).toBe(4);
});
