import { sendEmails } from '@causeway/domain';
import { afterAll, describe, expect, test } from 'vitest';
import { until } from '../support/test-service.ts';
import { MINUTE_MS, startSlices } from './start-slices.ts';

// Templates are programs that people write: whatever they do, nobody else waits for them.

const world = await startSlices();
afterAll(() => world.stop());

/** Each step is allowed: only all of them together take long. */
const STEP = `{% if x contains 'zz' %}x{% endif %}`;
const SLOW = `{% assign x = "${'b,'.repeat(40_000)}" %}{% for i in (1..1000) %}{% for j in (1..1000) %}${STEP}{% endfor %}{% endfor %}`;
const texts = (html: string) => ({ language: 'en', subject: 'Croeso', text: 'Croeso', html });
const invalid = (attr: string) => ({ data: { error: { code: 'email_template_invalid', errors: [{ attr }] } } });

/** What arrived at this address: the subject, and what it says. */
const received = (to: string) => {
  const { parsed } = world.mailServer.mails.findLast((mail) => mail.to === to) ?? {};
  return [parsed?.subject, parsed?.text, parsed?.html].join('\n');
};

const EXPRESSIONS = ['where_exp', 'find_exp', 'group_by_exp', 'reject_exp', 'has_exp', 'find_index_exp'];
const OF_LISTS = ['where', 'reject', 'group_by', 'has', 'find', 'find_index', 'map', 'sum', 'sort', 'sort_natural'];

test('29.4.5 a template with a filter that may take long is refused, and the sentence says so', async () => {
  const { code } = await world.createSupplier();
  const { emailTemplates } = world.service.staff;
  for (const filter of [...EXPRESSIONS, ...OF_LISTS, ...['uniq', 'compact', 'sample']]) {
    const html = `{% assign x = "b,b," | split: "," %}{{ x | ${filter}: "i", "x contains 'zz'" | size }}`;
    for (const call of [emailTemplates.set, emailTemplates.preview]) {
      const answer = call.mutate({ code, ...texts(html) });
      await expect(answer).rejects.toMatchObject(invalid('html'));
      await expect(answer).rejects.toThrow(`there is no filter ${filter} for templates`);
    }
  }
});

describe('time', () => {
  test('29.4.2 a preview that takes long keeps nobody waiting, and is ended', async () => {
    const { code } = await world.createSupplier();
    const { preview } = world.service.staff.emailTemplates;
    let isOver = false;
    const slow = preview.mutate({ code, ...texts(SLOW) }).finally(() => {
      isOver = true;
    });
    slow.catch(() => undefined);
    let answered = 0;
    await until(async () => {
      expect((await fetch(`${world.service.url}/healthz`)).status).toBe(200);
      answered += 1;
      return isOver;
    });
    // On a busy machine it does not get the time to take too long.
    await expect(slow).rejects.toThrow(/takes too long|could not be tried now/);
    // More than those that are answered before a preview begins.
    expect(answered).toBeGreaterThan(20);
    await expect
      .poll(() => preview.mutate({ code, ...texts('{{ customer.given_name }}') }))
      .toMatchObject({ html: 'Zoë' });
  });

  const LONG = `{% for i in (1..5500) %}${'x'.repeat(90_000)}{% endfor %}`;
  const FAILING = [
    { name: 'fails', html: '{{ customer.forename }}', failure: 'CANNOT_BE_RENDERED' },
    { name: 'becomes too long', html: LONG, failure: 'CANNOT_BE_RENDERED' },
    { name: 'takes too long', html: SLOW, failure: 'TAKES_TOO_LONG' },
  ];

  test.each(FAILING)(
    '29.4.4 29.4.5 who has values for which a template $name gets the text of the service, which is told',
    async ({ html, failure }) => {
      const { staff } = world.service;
      const supplier = await world.createSupplier();
      const { code } = supplier;
      await staff.emailTemplates.set.mutate({
        code,
        ...texts(`{% if customer.title == '' %}${html}{% endif %}Croeso`),
      });
      const untitled = await world.move(supplier, 2);
      const [titled = ''] = await world.move(supplier, 1, { title: 'Ms' });
      const sending = world.sender();
      const sent = await sendEmails(sending, code);
      expect([sent.counts, sent.withOwnText]).toEqual([{ SENT: 3 }, 2]);
      expect(String(sent.notRendered)).toMatch(/Version 1 of the template en could not be rendered/);
      expect(String(sent.notRendered).includes('takes too long')).toBe(failure === 'TAKES_TOO_LONG');
      const listed = await staff.customerEmails.listOfSupplier.query({ code, state: 'SENT' });
      const told = new Map(listed.map(({ id, ...email }) => [id, [email.template_version, email.template_failure]]));
      const toldOf = async (to: string) => told.get((await world.stateOf(to)).id);
      for (const to of untitled) expect(await toldOf(to)).toEqual([0, failure]);
      expect(await toldOf(titled)).toEqual([1, null]);
      const subjects = [...untitled, titled].map((to) => received(to).split('\n')[0]);
      const own = expect.stringMatching(/^Your new account number: A-/);
      expect(subjects).toEqual([own, own, 'Croeso']);
      expect((await sendEmails(sending, code)).counts).toEqual({});
    },
  );
});

const UNANSWERED = ['out_of_time', 'out_of_memory', 'failed'] as const;

test.each(UNANSWERED)('29.4.4 an e-mail whose rendering ended as %s waits, and is sent later', async (unanswered) => {
  const supplier = await world.createSupplier();
  const [to = ''] = await world.move(supplier, 1);
  const sending = world.sender();
  const templates = { timeoutMs: 1, render: async () => ({ unanswered }), close: async () => undefined };
  const sent = await sendEmails({ ...sending, templates }, supplier.code);
  expect([sent.counts, sent.unrendered, sent.withOwnText]).toEqual([{ UNRENDERED: 1 }, unanswered, 0]);
  expect(await world.stateOf(to)).toMatchObject({ state: 'QUEUED', attempts: 0, template_failure: null });
  expect(world.mailServer.attempts(to)).toBe(0);
  sending.moveOn(60_000);
  expect((await sendEmails(sending, supplier.code)).counts).toEqual({ SENT: 1 });
});

test('29.4.4 a template may need much memory however many others were rendered before it', async () => {
  const { preview } = world.service.staff.emailTemplates;
  const { code } = await world.createSupplier();
  // Half of what a template may have, so that a busy machine renders each within its two seconds.
  const long = (index: number) => `${index} ${'{{1}}'.repeat(9_900)}`;
  for (let index = 0; index < 16; index += 1) {
    await until(async () => {
      const shown = await preview.mutate({ code, ...texts(long(index)) }).catch((error: unknown) => {
        // A busy machine may not have the time.
        if (!String(error).includes('the service is busy')) throw error;
      });
      return shown?.html.startsWith(String(index)) === true;
    });
  }
});

const HOSTILE = 'Your account is blocked. Pay at https://evil.example/pay';
test('29.4.7 the text of the service has no name and no salutation that a supplier has sent', async () => {
  const supplier = await world.createSupplier();
  const customer = { given_name: 'Blocked', family_name: 'Call us', title: 'Pay', salutation: HOSTILE };
  const [to = ''] = await world.move(supplier, 1, customer);
  expect((await sendEmails(world.sender(), supplier.code)).counts).toEqual({ SENT: 1 });
  expect(received(to)).toContain('Hello,\n');
  expect(received(to)).toMatch(/Your previous account number was/);
  expect(received(to)).not.toMatch(/blocked|call us|pay|evil/i);
});

const SENTENCES = [HOSTILE, 'Pay now or we will cut you off', 'x'.repeat(41)];

test('29.4.7 the text of the service does not repeat an account number that is a sentence', async () => {
  const supplier = await world.createSupplier();
  const emailOf = (number: string) => `number.${SENTENCES.indexOf(number)}@example.com`;
  for (const number of SENTENCES) {
    const customers = [{ given_name: 'Zoë', email: emailOf(number) }];
    await supplier.importAccount({ external_account_number: number, customers });
  }
  expect((await sendEmails(world.sender(), supplier.code)).counts).toEqual({ SENT: SENTENCES.length });
  for (const number of SENTENCES) {
    expect(received(emailOf(number))).toMatch(/Your new account number is/);
    expect(received(emailOf(number))).not.toContain('previous account number');
    expect(received(emailOf(number))).not.toContain(number);
  }
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
