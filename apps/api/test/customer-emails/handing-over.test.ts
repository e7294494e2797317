import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { readSmtpUrl, sendEmails } from '@causeway/domain';
import { type MailServer, startTalker } from '@causeway/testing';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { TestService } from '../support/test-service.ts';
import { until } from '../support/until.ts';
import { MINUTE_MS, type SlicesWorld, startSlices } from './start-slices.ts';
import { verifyDkim } from './verify-dkim.ts';

let world: SlicesWorld;
let mailServer: MailServer;
let service: TestService;

beforeAll(async () => {
  world = await startSlices();
  ({ mailServer, service } = world);
});
afterAll(() => world.stop());

test('29.2.3 every e-mail is signed by the key of EMAIL_DKIM, over its body and headers', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const supplier = await world.createSupplier();
  const [to = ''] = await world.move(supplier, 1);
  const dkim = { domainName: 'northwind.example', keySelector: 'causeway', privateKey: key };
  expect((await sendEmails(world.sender({ dkim }), supplier.code)).counts).toEqual({ SENT: 1 });
  const { raw = '' } = mailServer.mails.find((mail) => mail.to === to) ?? {};
  const { tags, isRight } = verifyDkim(raw, publicKey);
  expect(tags).toMatchObject({ d: 'northwind.example', s: 'causeway' });
  expect(tags.h?.toLowerCase().split(':')).toEqual(expect.arrayContaining(['from', 'to', 'subject', 'message-id']));
  expect(isRight).toBe(true);
  expect(verifyDkim(raw.replace('Nothing', 'Something'), publicKey).isRight).toBe(false);
  expect(verifyDkim(raw.replace('Subject: ', 'Subject: Re: '), publicKey).isRight).toBe(false);
});

test('29.3.1 what happened to an e-mail is written as soon as the database answers again', async () => {
  const supplier = await world.createSupplier();
  const [to = ''] = await world.move(supplier, 1);
  const { pool } = service.database;
  using keeper = await borrowConnection(pool);
  const keeperId = (await keeper.query('SELECT pg_backend_pid() AS id')).rows[0].id;
  const { transport, ...sending } = world.sender();
  const send: typeof transport.send = async (email) => {
    const outcome = await transport.send(email);
    await keeper.query('BEGIN');
    await keeper.query('SELECT FROM customer_emails WHERE address = $1 FOR UPDATE', [to]);
    return outcome;
  };
  const sent = sendEmails({ ...sending, transport: { ...transport, send } }, supplier.code);
  // The connection is lost on which it is written that the server has it.
  const ended = () =>
    pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [
      keeperId,
    ]);
  await until(async () => (await ended()).rowCount === 1);
  await keeper.query('ROLLBACK');
  expect((await sent).counts).toEqual({ SENT: 1 });
  expect(await world.stateOf(to)).toMatchObject({ state: 'SENT', attempts: 1 });
});

test('29.3.8 all instances together keep to EMAILS_PER_MINUTE, however many e-mails wait', async () => {
  const [one, other] = [await world.createSupplier(), await world.createSupplier()];
  await world.move(one, 6);
  await world.move(other, 4);
  const first = world.sender({ perMinute: 120 });
  const second = { ...first, transport: world.sender().transport };
  const sent: number[] = [];
  // Each tries four times a second.
  for (let quarter = 0; quarter < 12; quarter += 1) {
    const slices = await Promise.all([sendEmails(first, one.code), sendEmails(second, other.code)]);
    sent.push(slices.reduce((sum, { counts }) => sum + (counts.SENT ?? 0), 0));
    first.moveOn(250);
  }
  const inSecond = (second: number) => sent.slice(4 * second, 4 * second + 4).reduce((sum, count) => sum + count);
  expect([0, 1, 2].map(inSecond)).toEqual([2, 2, 2]);
});

test('29.4.4 a template that fails for a customer is not what that customer gets, and nobody else goes without', async () => {
  const supplier = await world.createSupplier();
  const html = "{% if customer.title == '' %}{{ customer.forename }}{% endif %}Croeso";
  const texts = { subject: 'Croeso', text: 'Croeso', html };
  await service.staff.emailTemplates.set.mutate({ code: supplier.code, language: 'en', ...texts });
  const [untitled = ''] = await world.move(supplier, 1);
  const [titled = ''] = await world.move(supplier, 1, { title: 'Ms' });
  const { counts, notRendered } = await sendEmails(world.sender(), supplier.code);
  expect(counts).toEqual({ SENT: 2 });
  expect(String(notRendered)).toContain('Version 1 of the template en could not be rendered');
  const subjects = [untitled, titled].map((to) => mailServer.mails.find((mail) => mail.to === to)?.parsed.subject);
  expect(subjects).toEqual([expect.stringMatching(/^Your new account number: A-/), 'Croeso']);
  expect([await world.stateOf(untitled), await world.stateOf(titled)]).toMatchObject([
    { template_version: 0 },
    { template_version: 1 },
  ]);
});

const SLOW = [
  { name: 'hangs at the recipient', at: 'RCPT', state: 'QUEUED', attempts: 0 },
  { name: 'hangs once it has the text', at: 'DATA', state: 'IN_DOUBT', attempts: 1 },
] as const;

test.each(SLOW)('29.3.4 29.3.5 a server that $name is waited for so long only', async ({ at, state, attempts }) => {
  const supplier = await world.createSupplier();
  const [to = ''] = await world.move(supplier, 1);
  mailServer.behaveFor(to, { kind: 'hang', at });
  const timeouts = { connectMs: 1_000, handOverMs: 150 };
  const { counts, unheard } = await sendEmails(world.sender({ timeouts }), supplier.code);
  expect([Object.keys(counts), unheard?.why]).toEqual(
    state === 'QUEUED' ? [['UNREACHABLE'], 'left'] : [['IN_DOUBT'], undefined],
  );
  expect(await world.stateOf(to)).toMatchObject({ state, attempts });
});

const TALKERS = [
  { name: 'greets without an end', beginning: '', again: '220-mail.example\r\n' },
  { name: 'greets with one line that has no end', beginning: '', again: '2' },
  { name: 'sends empty lines', beginning: '', again: '\r\n'.repeat(1_000) },
  { name: 'continues its second answer without an end', beginning: '220 mail.example\r\n', again: '250-X\r\n' },
];

test.each(TALKERS)('29.3.4 a server that $name is left, whatever its time', async ({ beginning, again }) => {
  await using talker = await startTalker({ beginning, again, listensFirst: false });
  const supplier = await world.createSupplier();
  const [to = ''] = await world.move(supplier, 1);
  const server = readSmtpUrl(`smtp://127.0.0.1:${talker.port}`);
  const timeouts = { connectMs: 600_000, handOverMs: 600_000 };
  expect((await sendEmails(world.sender({ server, timeouts }), supplier.code)).counts).toEqual({ UNREACHABLE: 1 });
  expect(await world.stateOf(to)).toMatchObject({ state: 'QUEUED', attempts: 0 });
  await expect.poll(() => talker.counts.left).toBe(talker.counts.opened);
});

test('29.3.4 a server that says yes without being asked is left once it is not asked any more', async () => {
  await using talker = await startTalker({ beginning: '', again: '220 mail.example\r\n', listensFirst: false });
  const supplier = await world.createSupplier();
  await world.move(supplier, 1);
  const server = readSmtpUrl(`smtp://127.0.0.1:${talker.port}`);
  expect((await sendEmails(world.sender({ server }), supplier.code)).counts).toEqual({ SENT: 1 });
  await expect.poll(() => talker.counts.left).toBe(talker.counts.opened);
});

const SILENT = [
  { name: 'greets and says nothing more', word: '' },
  { name: 'greets and then says a letter from time to time', word: '2' },
];

test.each(SILENT)('29.3.4 a server that $name is not reached', async ({ word }) => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.write('220 mail.example\r\n');
    const talking = setInterval(() => socket.write(word), 20);
    socket.once('close', () => clearInterval(talking));
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const supplier = await world.createSupplier();
  const [to = ''] = await world.move(supplier, 1);
  const server = readSmtpUrl(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  const timeouts = { connectMs: 150, handOverMs: 600_000 };
  expect(await sendEmails(world.sender({ server, timeouts }), supplier.code)).toMatchObject({
    ...{ counts: { UNREACHABLE: 1 }, unheard: { why: 'not_reached' } },
  });
  expect(await world.stateOf(to)).toMatchObject({ state: 'QUEUED', attempts: 0 });
});

test('29.3.4 a recipient at whom the server always leaves holds up nobody else, and is tried each minute', async () => {
  const supplier = await world.createSupplier();
  const [dropped = '', ...others] = await world.move(supplier, 4);
  mailServer.behaveFor(dropped, { kind: 'cut', at: 'RCPT' });
  const sending = world.sender();
  expect(await sendEmails(sending, supplier.code)).toMatchObject({
    counts: { SENT: others.length, UNREACHABLE: 1 },
    unheard: undefined,
  });
  const attempts = mailServer.attempts(dropped);
  expect((await sendEmails(sending, supplier.code)).counts).toEqual({});
  sending.moveOn(MINUTE_MS);
  const again = await sendEmails(sending, supplier.code);
  expect([again.counts, again.unheard?.why]).toEqual([{ UNREACHABLE: 1 }, 'left']);
  expect(mailServer.attempts(dropped)).toBeGreaterThan(attempts);
  expect(await world.stateOf(dropped)).toMatchObject({ state: 'QUEUED', attempts: 0 });
  mailServer.behaveFor(dropped, { kind: 'take' });
  expect((await sendEmails(sending, supplier.code)).counts).toEqual({});
  sending.moveOn(MINUTE_MS);
  expect((await sendEmails(sending, supplier.code)).counts).toEqual({ SENT: 1 });
});

test('29.3.6 nothing is in doubt while it is still handed over: to a connection that was kept, and then to a new one', async () => {
  const supplier = await world.createSupplier();
  const sending = world.sender({ timeouts: { connectMs: 5_000, handOverMs: 1_000 } });
  await world.move(supplier, 1);
  expect((await sendEmails(sending, supplier.code)).counts).toEqual({ SENT: 1 });
  const [to = ''] = await world.move(supplier, 1);
  mailServer.behaveFor(to, { kind: 'hang', at: 'RCPT' });
  const begunAt = performance.now();
  const slice = sendEmails(sending, supplier.code);
  await until(() => mailServer.attempts(to) === 1);
  const { lease_until, updated_at } = await world.stateOf(to);
  expect((await slice).counts).toEqual({ UNREACHABLE: 1 });
  expect([mailServer.attempts(to), performance.now() - begunAt >= 2 * 1_000]).toEqual([2, true]);
  // As long as that takes with the limits of the service: 30 s, and 10 s and 30 s more.
  expect(Number(lease_until) - Number(updated_at)).toBeGreaterThan(70_000);
});
