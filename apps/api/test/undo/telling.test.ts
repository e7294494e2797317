import { startMailServer } from '@causeway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmailLanes, startEmailLanes } from '../customer-emails/start-lanes.ts';
import { refusal } from '../staff/refusal.ts';
import { startTestService, until } from '../support/test-service.ts';
import { undoOf } from './support.ts';

let lanes: EmailLanes;
const mailServer = await startMailServer();
const service = await startTestService({ SMTP_URL: mailServer.url });
const settings = { send_customer_emails: true, email_sender: 'Northwind <moving@northwind.example>', undo_hours: 24 };
const supplier = await service.createSupplier(settings);
beforeAll(() => {
  lanes = startEmailLanes(service, mailServer.url);
});
afterAll(async () => {
  await lanes.stop();
  await service.stop();
  await mailServer.close();
});

let people = 0;
function person() {
  people += 1;
  return { given_name: 'Canary', family_name: 'Tweet', email: `undone+${people}@example.com` };
}
const emailsOf = (external_account_number: string, { code } = supplier) =>
  service.staff.customerEmails.list.query({ code, external_account_number });
const saidTo = (to: string) => mailServer.mails.filter((mail) => mail.to === to).map(({ parsed }) => parsed.subject);
const process = (number: string, of = supplier) =>
  of.post('account-import-process/process/', of.processRequest(number));

test('30.4.1 30.4.3 who was told of the account is told that its number is not valid, once; and is welcomed again', async () => {
  const customer = person();
  const { externalAccountNumber: number, serviceAccountNumber } = await supplier.importAccount({
    customers: [customer],
  });
  await until(() => saidTo(customer.email).length === 1);
  await until(async () => (await emailsOf(number))[0]?.state === 'SENT');
  await undoOf(service, supplier)(number);
  await until(() => saidTo(customer.email).length === 2);
  expect(saidTo(customer.email)[1]).toBe(`Please do not use the account number ${serviceAccountNumber}`);
  const { body } = await process(number);
  await until(() => saidTo(customer.email).length === 3);
  expect(saidTo(customer.email)[2]).toContain(body.service_account_number);
  await until(async () => (await emailsOf(number)).every(({ state }) => state === 'SENT'));
  const templates = (await emailsOf(number)).map(({ template }) => template);
  expect(templates.sort()).toEqual(['account_created', 'account_created', 'account_undone']);
});

test('30.4.2 what still waits is not sent, and nobody is told who was not', async () => {
  const own = await service.createSupplier(settings);
  const { code } = own;
  await service.staff.importSuppliers.setStatus.mutate({ code, status: 'PAUSED' });
  await service.staff.importSuppliers.setStatus.mutate({ code, status: 'ONGOING' });
  await service.staff.importSuppliers.update.mutate({ code, send_customer_emails: true });
  await lanes.stop();
  const customer = person();
  const { externalAccountNumber: number } = await own.importAccount({ customers: [customer] });
  await undoOf(service, own)(number);
  lanes = startEmailLanes(service, mailServer.url);
  const [email, ...others] = await emailsOf(number, own);
  expect([email, others]).toMatchObject([{ state: 'NOT_SENT', reason: 'ACCOUNT_UNDONE' }, []]);
  const again = await refusal(service.staff.customerEmails.sendAgain.mutate({ id: email?.id ?? '' }));
  expect(again.code).toBe('customer_email_state_not_allowed');
  expect(saidTo(customer.email)).toEqual([]);
});

test('30.4.3 nobody is welcomed again if the undo says so', async () => {
  const customer = person();
  const { externalAccountNumber: number } = await supplier.importAccount({ customers: [customer] });
  await until(async () => (await emailsOf(number))[0]?.state === 'SENT');
  await undoOf(service, supplier)(number, { tell_again: false });
  await process(number);
  await until(() => saidTo(customer.email).length === 2);
  const states = (await emailsOf(number)).map(({ template, state, reason }) => `${template} ${reason ?? state}`);
  expect(states.sort()).toEqual([
    'account_created NOT_TOLD_AGAIN',
    'account_created SENT',
    expect.stringMatching(/^account_undone SEN/),
  ]);
});

test('30.4.1 a suppressed address is not told', async () => {
  const customer = person();
  const { externalAccountNumber: number } = await supplier.importAccount({ customers: [customer] });
  await until(async () => (await emailsOf(number))[0]?.state === 'SENT');
  await service.staff.emailSuppressions.add.mutate({ code: supplier.code, address: customer.email });
  await undoOf(service, supplier)(number);
  await until(async () => (await emailsOf(number)).some(({ reason }) => reason === 'SUPPRESSED'));
  expect(saidTo(customer.email)).toHaveLength(1);
});

test('30.4.1 30.4.4 one that is being sent counts as told, and does not wait again if it is put off', async () => {
  const customer = person();
  mailServer.behaveFor(customer.email, { kind: 'hang', at: 'RCPT' });
  const { externalAccountNumber: number } = await supplier.importAccount({ customers: [customer] });
  const statesOf = async () =>
    (await emailsOf(number)).map(({ template, state, reason }) => `${template} ${reason ?? state}`).sort();
  await until(async () => (await statesOf()).join() === 'account_created SENDING');
  await undoOf(service, supplier)(number);
  mailServer.behaveFor(customer.email, { kind: 'refuse', at: 'RCPT', answer: '450 4.2.1 Try again later' });
  mailServer.hangUp();
  await until(async () => (await statesOf())[0] === 'account_created ACCOUNT_UNDONE');
  expect(await statesOf()).toEqual(['account_created ACCOUNT_UNDONE', expect.stringContaining('account_undone ')]);
});
