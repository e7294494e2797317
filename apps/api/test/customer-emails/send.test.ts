import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { MASK } from '@causeway/contracts';

import { startMailServer } from '@causeway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/env.ts';
import { createJob, ndjson, putPart, readJob } from '../bulk/bulk-calls.ts';
import { obtainToken, startTestService, trpcClient, until } from '../support/test-service.ts';
import { type EmailLanes, startEmailLanes } from './start-lanes.ts';

const MINUTE_MS = 60_000;
const SENDER = 'Northwind Energy <moving@northwind.example>';
let lanes: EmailLanes;
let people = 0;

const mailServer = await startMailServer();
const service = await startTestService({ SMTP_URL: mailServer.url });
const supplier = await service.createSupplier({
  send_customer_emails: true,
  email_sender: SENDER,
  email_unsubscribe: 'https://northwind.example/no-more',
});
beforeAll(async () => {
  lanes = startEmailLanes(service, mailServer.url);
});
afterAll(async () => {
  await lanes.stop();
  await service.stop();
  await mailServer.close();
});

function address(): string {
  people += 1;
  return `canary.person+${people}@example.com`;
}
const person = (email?: string, more: object = {}) => ({
  given_name: 'Canary',
  family_name: 'O’Tweet & Sons',
  ...(email !== undefined && { email }),
  ...more,
});

interface Moved {
  external_account_number: string;
  to: string;
}

/** An account with one customer and this address. */
async function move(to = address(), of = supplier): Promise<Moved> {
  const { externalAccountNumber } = await of.importAccount({ customers: [person(to)] });
  return { external_account_number: externalAccountNumber, to };
}

const emailsOf = ({ external_account_number }: Pick<Moved, 'external_account_number'>, { code } = supplier) =>
  service.staff.customerEmails.list.query({ code, external_account_number });
const statesOf = async (moved: Moved, of = supplier) => (await emailsOf(moved, of)).map(({ state }) => state);
const isIn = (moved: Moved, state: string) => until(async () => (await statesOf(moved)).join() === state);
const mailsTo = (to: string) => mailServer.mails.filter((mail) => mail.to === to);

describe('who gets one', () => {
  const recipients = async (overrides: Record<string, unknown>) => {
    const { externalAccountNumber: external_account_number } = await supplier.importAccount(overrides);
    const emails = await emailsOf({ external_account_number });
    return emails.map(({ recipient, reason }) => `${recipient} ${reason ?? 'gets it'}`).sort();
  };

  test('29.1.1 each address of a living customer, once, else that of the bill', async () => {
    const [one, two] = [address(), address()];
    const bill = { billing_email: 'bills@example.com' };
    expect(
      await recipients({ ...bill, customers: [person(one), person(two), person(one.toUpperCase()), person()] }),
    ).toEqual(['customers.0 gets it', 'customers.1 gets it']);
    expect(await recipients({ ...bill, customers: [person()] })).toEqual(['billing_email gets it']);
  });

  test('29.1.1 29.4.1 a company without a person, by its name', async () => {
    const [bill, mailbox] = [address(), address()];
    const bills = { billing_name: undefined, billing_email: bill };
    const company = { account_type: 'BUSINESS', business: { name: 'Hartley Bakeries Ltd' }, ...bills };
    const withTemplate = await service.createSupplier({ send_customer_emails: true, email_sender: SENDER });
    const texts = { subject: 'Dear {{ customer.name }}', text: '{{ customer.name }}', html: '{{ customer.name }}' };
    await service.staff.emailTemplates.set.mutate({ code: withTemplate.code, language: 'en', ...texts });
    await withTemplate.importAccount({ ...company, customers: undefined });
    await withTemplate.importAccount({ ...company, customers: [{ company_name: 'Studio 54 Ltd', email: mailbox }] });
    await until(async () => mailsTo(bill).length === 1 && mailsTo(mailbox).length === 1);
    expect(mailsTo(bill)[0]?.parsed.subject).toBe('Dear Hartley Bakeries Ltd');
    expect(mailsTo(mailbox)[0]?.parsed.subject).toBe('Dear Studio 54 Ltd');
  });

  test('29.1.3 nobody who has died, wants letters or is unknown', async () => {
    const [one, two] = [address(), address()];
    const dead = { deceased: 'Reported' };
    const bill = { billing_email: two };
    expect(await recipients({ customers: [person(one, dead), person(two)] })).toEqual([
      'customers.0 DECEASED',
      'customers.1 gets it',
    ]);
    expect(await recipients({ customers: [person(one, dead), person(one)] })).toEqual(['customers.1 gets it']);
    expect(await recipients({ billing_email: one, customers: [person(one, dead), person()] })).toEqual([
      'customers.0 DECEASED',
    ]);
    expect(await recipients({ ...bill, customers: [person(one, dead)] })).toEqual([
      'billing_email DECEASED',
      'customers.0 DECEASED',
    ]);
    expect(await recipients({ communication_preference: 'PRINT', customers: [person(one)] })).toEqual([
      'account PRINT',
    ]);
    expect(await recipients({ ...bill, unknown_occupier: true, customers: undefined })).toEqual([
      'account UNKNOWN_OCCUPIER',
    ]);
    expect(await recipients({ billing_email: undefined, customers: [person()] })).toEqual(['account NO_ADDRESS']);
    const kept = await service.database.prisma.customerEmail.count({
      where: { state: 'NOT_SENT', address: { not: null } },
    });
    expect(kept).toBe(0);
  });

  test('29.1.2 with its history too, and never for a dry run', async () => {
    const [to, none] = [address(), address()];
    const notes = [{ body: 'Moved' }];
    expect(await recipients({ customers: [person(to)], notes })).toEqual(['customers.0 gets it']);
    for (const history of [{}, { notes }]) {
      const number = await supplier.stage({ customers: [person(none)], ...history });
      const dry = { ...supplier.processRequest(number), dry_run: true };
      expect((await supplier.post('account-import-process/process/', dry)).body).toMatchObject({
        code: 'dry_run_rolled_back',
      });
    }
    expect(await service.database.prisma.customerEmail.count({ where: { address: none } })).toBe(0);
  });

  test('29.1.2 in a bulk job: its run, and not its rehearsal', async () => {
    const numbers = ['BULK-1', 'BULK-2'];
    const job = await createJob(supplier);
    const accounts = numbers.map((external_account_number) => {
      return { account: supplier.account({ external_account_number, customers: [person(address())] }) };
    });
    await putPart(supplier, { id: job }, ndjson(accounts));
    const emails = () =>
      service.database.prisma.customerEmail.count({
        where: { account_import: { external_account_number: { in: numbers } } },
      });
    const run = async (run_mode: string, state: string) => {
      await supplier.post(`bulk-jobs/${job}/start/`, { run_mode });
      await until(async () => (await readJob(supplier, job)).state === state);
      return emails();
    };
    expect([await run('REHEARSAL', 'REHEARSED'), await run('REAL', 'FINISHED')]).toEqual([0, 2]);
    for (const external_account_number of numbers) await isIn({ external_account_number, to: '' }, 'SENT');
  });

  test('29.1.4 nobody of a supplier that does not send', async () => {
    const quiet = await service.createSupplier({ email_sender: SENDER });
    expect(await emailsOf(await move(address(), quiet), quiet)).toEqual([]);
  });
});

describe('what is sent', () => {
  test('29.3.1 29.4.2 the message arrives once, says what it is, and escapes every value', async () => {
    const { code } = supplier;
    const name = 'Croeso {{ customer.name }}';
    await service.staff.emailTemplates.set.mutate({ code, language: 'de', subject: 'Croeso', text: name, html: name });
    const to = address();
    const account = { customers: [person(to)], language_preference: 'de' };
    const { externalAccountNumber: external_account_number } = await supplier.importAccount(account);
    const moved = { external_account_number, to };
    await isIn(moved, 'SENT');
    const [mail, ...others] = mailsTo(moved.to);
    const [email] = await emailsOf(moved);
    expect(others).toEqual([]);
    expect(mail?.from).toBe('moving@northwind.example');
    expect(mail?.parsed.messageId).toBe(`<${email?.id}@northwind.example>`);
    expect(mail?.parsed.html).toContain('Canary O’Tweet &amp; Sons');
    expect(mail?.parsed.text).toContain('Canary O’Tweet & Sons');
    expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(mail?.raw).toMatch(/^List-Unsubscribe: <https:\/\/northwind\.example\/no-more>\r$/m);
    expect(email).toMatchObject({ state: 'SENT', attempts: 1, template_language: 'de', template_version: 1 });
    expect(email?.sent_at).not.toBeNull();
  });

  test('29.4.1 the newest template of the language of the account, or of a more general one', async () => {
    const { code } = supplier;
    const set = (language: string, subject: string) =>
      service.staff.emailTemplates.set.mutate({ code, language, subject, text: 'x', html: 'x' });
    expect((await set('cy', 'Hen')).version).toBe(1);
    expect((await set('CY', 'Croeso {{ customer.given_name }}\u0020')).version).toBe(2);
    const to = address();
    const { externalAccountNumber: external_account_number } = await supplier.importAccount({
      customers: [person(to)],
      language_preference: 'cy-GB',
    });
    await isIn({ external_account_number, to }, 'SENT');
    expect(mailsTo(to).map(({ parsed }) => parsed.subject)).toEqual(['Croeso Canary']);
    expect(await emailsOf({ external_account_number })).toMatchObject([
      { template_language: 'cy', template_version: 2 },
    ]);
    const versions = await service.staff.emailTemplates.list.query({ code });
    expect(versions.map(({ language, version }) => `${language} ${version}`)).toEqual(['cy 2', 'cy 1', 'de 1']);
    const first = await service.staff.emailTemplates.get.query({ code, language: 'cy', version: 1 });
    expect(first).toMatchObject({ subject: 'Hen', version: 1 });
    expect(await service.staff.emailTemplates.get.query({ code, language: 'fr' })).toMatchObject({ version: 0 });
  });

  test('29.4.2 texts that cannot be rendered, read files or leave a value as it is are refused or escaped', async () => {
    const { code } = supplier;
    const texts = { subject: 'x', text: 'x', html: 'x' };
    const preview = (html: string) =>
      service.staff.emailTemplates.preview.mutate({ code, language: 'en', ...texts, html });
    for (const html of [
      '{{ customer.givenname }}',
      "{% include '/etc/passwd' %}",
      '{% if %}',
      '{{ customer | nothing }}',
    ]) {
      const set = service.staff.emailTemplates.set.mutate({ code, language: 'en', ...texts, html });
      await expect(set).rejects.toThrow(/line 1/);
      await expect(preview(html)).rejects.toMatchObject({
        data: { error: { code: 'email_template_invalid', errors: [{ attr: 'html' }] } },
      });
    }
    await expect(preview('{% for i in (1..100000000) %}x{% endfor %}')).rejects.toThrow(/limit/);
    const { html, from } = await preview('<p title="{{ customer.name | raw }}">');
    expect(html).toBe('<p title="Zoë O&#39;Hartley &amp; Sons">');
    expect(from).toBe(SENDER);
  });
});

describe('what may become of one', () => {
  test('29.3.2 put off: tried again later, and given up in the end', async () => {
    const to = address();
    mailServer.behaveFor(to, { kind: 'refuse', at: 'RCPT', answer: '451 4.7.1 Try again later' });
    const moved = await move(to);
    const attempts = (count: number) => until(async () => (await emailsOf(moved))[0]?.attempts === count);
    const waits = (state: string) => isIn(moved, state);
    await attempts(1);
    await waits('QUEUED');
    const pauses = [1, 5, 15, 60, 240, 720, 1_440];
    for (const [index, minutes] of pauses.entries()) {
      lanes.moveOn(minutes * MINUTE_MS);
      await attempts(index + 2);
      await waits(index === pauses.length - 1 ? 'GIVEN_UP' : 'QUEUED');
    }
    expect(mailServer.attempts(to)).toBe(8);
    const { code } = supplier;
    const unsettled = await service.staff.customerEmails.listOfSupplier.query({ code });
    expect(unsettled[0]).toMatchObject({ state: 'GIVEN_UP', external_account_number: moved.external_account_number });
  });

  test('29.6.1 those of a supplier are listed by state, and counted where somebody has to look at them', async () => {
    const { customerEmails } = service.staff;
    const other = await service.createSupplier({ send_customer_emails: true, email_sender: SENDER });
    const { code } = other;
    const [refused, doubtful] = [address(), address()];
    mailServer.behaveFor(refused, { kind: 'refuse', at: 'DATA', answer: '554 5.7.1 We do not like it' });
    mailServer.behaveFor(doubtful, { kind: 'cut', at: 'DATA' });
    const moved = { SENT: await move(address(), other), REFUSED: await move(refused, other) };
    const inDoubt = await move(doubtful, other);
    await until(async () => (await customerEmails.listOfSupplier.query({ code })).length === 2);
    await until(async () => (await statesOf(moved.SENT, other)).join() === 'SENT');
    await other.importAccount({ communication_preference: 'PRINT', customers: [person(address())] });
    const numbers = async (state?: 'SENT' | 'REFUSED' | 'IN_DOUBT' | 'QUEUED' | 'NOT_SENT') =>
      (await customerEmails.listOfSupplier.query({ code, ...(state && { state }) })).map(
        ({ external_account_number }) => external_account_number,
      );
    for (const state of ['SENT', 'REFUSED'] as const) {
      expect(await numbers(state)).toEqual([moved[state].external_account_number]);
    }
    expect(await numbers('IN_DOUBT')).toEqual([inDoubt.external_account_number]);
    expect([(await numbers()).length, (await numbers('QUEUED')).length]).toEqual([2, 0]);
    expect(await customerEmails.listOfSupplier.query({ code, state: 'NOT_SENT' })).toMatchObject([{ reason: 'PRINT' }]);
    expect(await customerEmails.countUnsettled.query({ code })).toEqual({ refused: 1, given_up: 0, in_doubt: 1 });
  });

  test('29.3.6 in doubt: its sender was killed', async () => {
    await lanes.stop();
    const moved = await move();
    const other = await move();
    const { database } = service;
    const claim = '0b8f4b8e-5d0a-4f6e-9d0c-2a4f3c1e7b55';
    const [email] = await emailsOf(moved);
    await database.prisma.customerEmail.update({
      where: { id: email?.id ?? '' },
      data: {
        state: 'SENDING',
        claim,
        lease_until: new Date(lanes.now().getTime() + 60_000),
        next_attempt_at: null,
        attempts: 1,
      },
    });
    lanes = startEmailLanes(service, mailServer.url);
    await isIn(other, 'SENT');
    expect(await statesOf(moved)).toEqual(['SENDING']);
    lanes.moveOn(70_000);
    await isIn(moved, 'IN_DOUBT');
    expect(mailsTo(moved.to)).toEqual([]);
  });

  test('29.6.2 sent again by hand, with an audit event, unless nobody may get it', async () => {
    const to = address();
    mailServer.behaveFor(to, { kind: 'cut', at: 'DATA', keeps: false });
    const moved = await move(to);
    await isIn(moved, 'IN_DOUBT');
    mailServer.behaveFor(to, { kind: 'take' });
    const [{ id } = { id: '' }] = await emailsOf(moved);
    await service.staff.customerEmails.sendAgain.mutate({ id });
    await isIn(moved, 'SENT');
    expect(mailsTo(to).length).toBe(1);
    const { external_account_number } = moved;
    const { code } = supplier;
    const timeline = await service.staff.accounts.timeline.query({ code, external_account_number });
    expect(timeline.map(({ event, email }) => event?.action ?? `email ${email?.state}`)).toEqual(
      expect.arrayContaining(['email_sent_again', 'email SENT']),
    );
    const { id: suppression } = await service.staff.emailSuppressions.add.mutate({ code, address: to });
    await expect(service.staff.customerEmails.sendAgain.mutate({ id })).rejects.toThrow(/suppression list/);
    await service.staff.emailSuppressions.remove.mutate({ code, id: suppression });
    await expect(service.staff.emailSuppressions.remove.mutate({ code, id: suppression })).rejects.toThrow(/no entry/);
  });

  test('29.5.2 that suppressed addresses are shown is recorded, and who only reads sees them masked', async () => {
    const { staff, createSupplier } = service;
    const { code } = await createSupplier();
    const [one, two] = [address(), address()];
    for (const each of [one, two]) await staff.emailSuppressions.add.mutate({ code, address: each });
    const { api_key } = await staff.apiKeys.issueStaff.mutate({ label: 'Only reads', role: 'READ_ONLY' });
    const reader = trpcClient(service.url, await obtainToken(service.url, api_key));
    await expect(reader.emailSuppressions.list.query({ code })).rejects.toThrow(/read-only key cannot/);
    const masked = await reader.emailSuppressions.list.query({ code, masked: true });
    expect(masked.map(({ address: shown, reason }) => [shown, reason])).toEqual([
      [MASK, 'STAFF'],
      [MASK, 'STAFF'],
    ]);
    const views = async () =>
      (await staff.audit.list.query({ subject: 'import_supplier', code })).filter(
        ({ action }) => action === 'email_suppressions_viewed',
      );
    expect(await views()).toEqual([]);
    const found = await staff.emailSuppressions.list.query({ code, address: two.toUpperCase() });
    expect(found.map((entry) => entry.address)).toEqual([two]);
    expect(JSON.stringify(await views())).toMatch(/^(?!.*canary)/);
    expect((await views()).length).toBe(1);
  });
});

describe('settings', () => {
  test('29.2.2 no e-mails without a sender, which stays while they are on', async () => {
    const { code } = supplier;
    const update = (change: object) => service.staff.importSuppliers.update.mutate({ code, ...change });
    const refusal = {
      data: { error: { code: 'customer_emails_not_possible', errors: [{ attr: 'send_customer_emails' }] } },
    };
    await expect(service.createSupplier({ send_customer_emails: true })).rejects.toMatchObject(refusal);
    await expect(update({ email_sender: null })).rejects.toMatchObject(refusal);
    const quiet = await service.createSupplier();
    const switchOn = service.staff.importSuppliers.update.mutate({ code: quiet.code, send_customer_emails: true });
    await expect(switchOn).rejects.toMatchObject(refusal);
    const gone = service.staff.importSuppliers.update.mutate({ code: 'NONE', send_customer_emails: true });
    await expect(gone).rejects.toMatchObject({ data: { error: { code: 'import_supplier_does_not_exist' } } });
    // As a supplier has it that was configured before there were e-mails.
    await service.database.prisma.importSupplier.update({
      where: { code: quiet.code },
      data: { send_customer_emails: true },
    });
    expect(await emailsOf(await move(address(), quiet), quiet)).toEqual([]);
    expect(await update({ email_sender: SENDER })).toMatchObject({ send_customer_emails: true, email_sender: SENDER });
  });

  test('29.2.1 no e-mails without a mail server; suppliers that have them stay usable', async () => {
    const without = await service.startInstance({ SMTP_URL: '' });
    const staff = trpcClient(without.url, await obtainToken(without.url, service.staffApiKey));
    const { code } = supplier;
    const on = staff.importSuppliers.update.mutate({ code, send_customer_emails: true });
    await expect(on).rejects.toThrow(/no mail server: set SMTP_URL/);
    expect(await staff.importSuppliers.update.mutate({ code, name: 'Renamed' })).toMatchObject({
      ...{ name: 'Renamed', send_customer_emails: true },
    });
  });

  test('29.2.3 a URL of a mail server that cannot be used is named without its password', () => {
    const read = (SMTP_URL: string, more = {}) => readEnvironment({ SMTP_URL, ...more }).emails?.server;
    expect(read('smtp://u:p%40ss@mail.example')).toEqual({
      ...{ host: 'mail.example', port: 587, secure: false, requireTLS: true },
      login: { user: 'u', password: 'p@ss' },
    });
    expect(read('smtps://mail.example')).toMatchObject({
      port: 465,
      secure: true,
      requireTLS: false,
      login: undefined,
    });
    for (const url of ['http://u:canary@mail.example', 'smtp://u:canary@', 'smtp://u:canary@mail.example?x=1']) {
      expect(() => read(url)).toThrow(/SMTP_URL/);
      expect(() => read(url)).not.toThrow(/canary/);
    }
    const pemOf = ({ privateKey }: { privateKey: KeyObject }) =>
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const pem = pemOf(generateKeyPairSync('rsa', { modulusLength: 2_048 }));
    for (const key of [pem, pem.replaceAll('\n', String.raw`\n`), Buffer.from(pem).toString('base64')]) {
      const EMAIL_DKIM = `northwind.example:causeway:${key}`;
      const { emails, settings } = readEnvironment({ SMTP_URL: 'smtp://u:canary@mail.example', EMAIL_DKIM });
      expect(emails?.dkim).toEqual({ domainName: 'northwind.example', keySelector: 'causeway', privateKey: pem });
      expect(settings).toMatchObject({ SMTP_URL: 'mail.example', EMAIL_DKIM: 'set' });
    }
    // Which could not sign.
    const other = `northwind.example:causeway:${pemOf(generateKeyPairSync('ed25519'))}`;
    expect(() => readEnvironment({ SMTP_URL: 'smtp://mail.example', EMAIL_DKIM: other })).toThrow(/EMAIL_DKIM/);
  });
});

test('29.3.7 waits while the supplier is paused, and is sent once it is complete', async () => {
  await lanes.stop();
  const moved = await move();
  const { code } = supplier;
  await service.staff.importSuppliers.setStatus.mutate({ code, status: 'PAUSED' });
  const other = await service.createSupplier({ send_customer_emails: true, email_sender: SENDER });
  lanes = startEmailLanes(service, mailServer.url);
  const first = await move(address(), other);
  await until(async () => (await statesOf(first, other)).join() === 'SENT');
  expect(await statesOf(moved)).toEqual(['QUEUED']);
  await service.staff.importSuppliers.setStatus.mutate({ code, status: 'COMPLETE', reason: 'Done' });
  await isIn(moved, 'SENT');
  await service.staff.importSuppliers.setStatus.mutate({ code, status: 'ONGOING', reason: 'Continue' });
});

test('29.6.3 an erasure takes the address from its e-mails and the suppression list, and it stays suppressed', async () => {
  const to = address();
  const { code } = supplier;
  await lanes.stop();
  await service.staff.emailSuppressions.add.mutate({ code, address: to });
  const { external_account_number } = await move(to);
  await service.staff.accounts.erase.mutate({ code, external_account_number, reason: 'Asked for' });
  const { rows } = await service.database.pool.query(
    `SELECT address, state, reason FROM customer_emails WHERE account_import_id IN
       (SELECT id FROM account_imports WHERE external_account_number = $1)`,
    [external_account_number],
  );
  expect(rows).toEqual([{ address: null, state: 'NOT_SENT', reason: 'ERASED' }]);
  const left = await service.database.prisma.emailSuppression.count({ where: { address: to } });
  lanes = startEmailLanes(service, mailServer.url);
  const next = await move(to);
  await isIn(next, 'NOT_SENT');
  expect([left, mailsTo(to).length]).toEqual([0, 0]);
});

test('29.6.4 no address, name or text of a message is in the log', () => {
  expect(lanes.log.join('\n')).not.toMatch(/canary|tweet|northwind\.example/i);
});
