import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { readSmtpUrl, sendEmails } from '@causeway/domain';
import { startTalker } from '@causeway/testing';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { until } from '../support/test-service.ts';
import { startEmailLanes } from './start-lanes.ts';
import { MINUTE_MS, startSlices } from './start-slices.ts';
import { verifyDkim } from './verify-dkim.ts';

const world = await startSlices();
const { mailServer, service } = world;
afterAll(() => world.stop());

test('29.2.3 every e-mail is signed by the key of EMAIL_DKIM, over its body and headers', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
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

const SLOW = [
  { name: 'hangs at the recipient', at: 'RCPT', state: 'QUEUED', attempts: 0 },
  { name: 'hangs once it has the text', at: 'DATA', state: 'IN_DOUBT', attempts: 1 },
] as const;

test.each(SLOW)('29.3.4 29.3.5 a server that $name is waited for so long only', async ({ at, state, attempts }) => {
  const supplier = await world.createSupplier();
  const [to = ''] = await world.move(supplier, 1);
  mailServer.behaveFor(to, { kind: 'hang', at });
  const timeouts = { connectMs: 5_000, handOverMs: 2_000 };
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
  {
    name: 'continues its second answer without an end',
    beginning: '220 mail.example\r\n',
    again: '250-X\r\n'.repeat(1_000),
  },
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
  const sending = world.sender({ timeouts: { connectMs: 5_000, handOverMs: 3_000 } });
  await world.move(supplier, 1);
  expect((await sendEmails(sending, supplier.code)).counts).toEqual({ SENT: 1 });
  const [to = ''] = await world.move(supplier, 1);
  mailServer.behaveFor(to, { kind: 'hang', at: 'RCPT' });
  const begunAt = performance.now();
  const slice = sendEmails(sending, supplier.code);
  await until(() => mailServer.attempts(to) === 1);
  const { lease_until, updated_at } = await world.stateOf(to);
  expect((await slice).counts).toEqual({ UNREACHABLE: 1 });
  expect([mailServer.attempts(to), performance.now() - begunAt >= 2 * 3_000]).toEqual([2, true]);
  // As long as that takes with the limits of the service: 30 s, and 10 s and 30 s more.
  expect(Number(lease_until) - Number(updated_at)).toBeGreaterThan(70_000);
});

const RUBBISH = 'rubbish '.repeat(25_000);
const ODD = [
  { name: 'a reply of 199', words: '199 Well\r\n' },
  { name: 'a reply of 354', words: '354 Continue\r\n' },
  { name: 'a reply of 999', words: '999 Well\r\n' },
  { name: '200 kB of rubbish on one line', words: RUBBISH },
  { name: '200 kB of rubbish on many lines', words: `${'rubbish\r\n'.repeat(22_000)}` },
  { name: '200 kB of rubbish that a refusal begins with', words: `554-5.7.1 No\r\n${RUBBISH}` },
];

test('29.3.5 in doubt: the server says something else to the end of the text', async () => {
  const supplier = await world.createSupplier();
  const addresses = await world.move(supplier, ODD.length);
  for (const [index, { words }] of ODD.entries()) {
    world.mailServer.behaveFor(addresses[index] ?? '', { kind: 'say', words });
  }
  const sending = world.sender({ timeouts: { connectMs: 5_000, handOverMs: 5_000 } });
  expect((await sendEmails(sending, supplier.code)).counts).toEqual({ IN_DOUBT: ODD.length });
  for (const to of addresses) world.mailServer.behaveFor(to, { kind: 'take' });
  sending.moveOn(7 * 24 * 60 * MINUTE_MS);
  expect((await sendEmails(sending, supplier.code)).counts).toEqual({});
  for (const [index, to] of addresses.entries()) {
    const { state, attempts } = await world.stateOf(to);
    const mails = world.mailServer.mails.filter((mail) => mail.to === to).length;
    expect([ODD[index]?.name, state, attempts, mails]).toEqual([ODD[index]?.name, 'IN_DOUBT', 1, 1]);
  }
});

test('29.3.2 put off, and given up in the end: the server leaves with 421 at the end of the text', async () => {
  const supplier = await world.createSupplier();
  const [to = ''] = await world.move(supplier, 1);
  world.mailServer.behaveFor(to, { kind: 'refuse', at: 'DATA', answer: '421 4.7.0 Too many of you' });
  expect((await sendEmails(world.sender(), supplier.code)).counts).toEqual({ QUEUED: 1 });
  expect(await world.stateOf(to)).toMatchObject({ state: 'QUEUED', attempts: 1, answer: '421 4.7.0 Too many of you' });
});

/** Of relays that do not know us, of lists of bad senders, and of full mailboxes: the address is as good as before. */
const REFUSALS: { at?: 'DATA'; answer: string; suppresses: boolean }[] = [
  { at: 'DATA', answer: '554 5.7.1 We do not like it', suppresses: false },
  { answer: '550 relay not permitted', suppresses: false },
  { answer: '550 203.0.113.9 is listed at bl.example', suppresses: false },
  { answer: '553 5.7.1 Not your sender', suppresses: false },
  { answer: '552 5.2.2 The mailbox is full', suppresses: false },
  { answer: '550 5.1.1 No such mailbox', suppresses: true },
  { answer: '550 5.1.10 The domain takes no e-mail', suppresses: true },
  { answer: '553 5.1.3 No such address', suppresses: true },
];

test('29.3.3 a refused address is on the suppression list only if it is the address that is at fault', async () => {
  const supplier = await world.createSupplier();
  const addresses = await world.move(supplier, REFUSALS.length);
  for (const [index, { at = 'RCPT', answer }] of REFUSALS.entries()) {
    world.mailServer.behaveFor(addresses[index] ?? '', { kind: 'refuse', at, answer });
  }
  expect((await sendEmails(world.sender(), supplier.code)).counts).toEqual({ REFUSED: REFUSALS.length });
  for (const [index, { answer, suppresses }] of REFUSALS.entries()) {
    const address = addresses[index] ?? '';
    expect(await world.stateOf(address)).toMatchObject({ state: 'REFUSED', answer });
    const suppressed = await world.service.database.prisma.emailSuppression.count({ where: { address } });
    expect([answer, suppressed]).toEqual([answer, suppresses ? 1 : 0]);
  }
});

/** What servers say beside an address: the code and the rest of their words stay. */
const TOLD = [
  {
    to: 'zoe.hartley@example.com',
    says: '550 5.2.1 <zoe.hartley>: mailbox of Mr Zoe.Hartley at example.com (alias of real.name.zoe.hartley@forwarded.example) is over quota',
    kept: '550 5.2.1 <[address]>: mailbox of Mr [address] at example.com (alias of [address]) is over quota',
  },
  {
    to: 'b.brown@example.com',
    says: '554 5.7.1<B.Brown@EXAMPLE.com>: see https://help.example/?to=b.brown%40example.com or "Bea Brown"@old.example, id b.browning-7.',
    kept: '554 5.7.1<[address]>: see https://help.example/?to=[address]%40example.com or [address], id b.browning-7.',
  },
  {
    to: 'müller+news@example.com',
    says: '550 5.7.1 MÜLLER: moved from müller+news to müller@neu.example,ab@neu.example',
    kept: '550 5.7.1 [address]: moved from [address] to [address],[address]',
  },
  { to: 'no@example.com', says: '550 5.7.1 no such user as no@', kept: '550 5.7.1 no such user as [address]' },
  { to: '550@example.com', says: '550 5.7.1 550 is unknown', kept: '550 5.7.1 [address] is unknown' },
  { to: '5.1.1@example.com', says: '550 5.7.1 No', kept: '550 5.7.1 No' },
];

test.each(TOLD)('29.3.3 no address and no local part is stored or shown: $says', async ({ to, says, kept }) => {
  const supplier = await world.createSupplier();
  const { code } = supplier;
  const { externalAccountNumber: external_account_number } = await supplier.importAccount({
    customers: [{ given_name: 'Zoë', family_name: 'Hartley', email: to }],
  });
  world.mailServer.behaveFor(to, { kind: 'refuse', at: 'DATA', answer: says });
  expect((await sendEmails(world.sender(), code)).counts).toEqual({ REFUSED: 1 });
  expect(await world.stateOf(to)).toMatchObject({ answer: kept });
  const { customerEmails, accounts } = world.service.staff;
  const number = { code, external_account_number };
  const timeline = await accounts.timeline.query(number);
  const shown = [
    ...(await customerEmails.list.query(number)),
    ...(await customerEmails.listOfSupplier.query({ code })),
    ...timeline.flatMap(({ email }) => email ?? []),
  ];
  expect(shown.map(({ answer }) => answer)).toEqual([kept, kept, kept]);
});

test('29.3.3 an address at the end of what is kept is not cut to a part of it', async () => {
  const supplier = await world.createSupplier();
  const [to = ''] = await world.move(supplier, 1);
  const other = `${'o'.repeat(240)}@example.org`;
  world.mailServer.behaveFor(to, { kind: 'refuse', at: 'RCPT', answer: `550 ${`<${other}> `.repeat(100)}` });
  expect((await sendEmails(world.sender(), supplier.code)).counts).toEqual({ REFUSED: 1 });
  const { answer } = await world.stateOf(to);
  expect([answer?.length, answer?.includes('ooo')]).toEqual([1_000, false]);
});

test('29.6.5 one that was not delivered is in the timeline and counted, and no problem that a supplier could fix', async () => {
  const { staff } = world.service;
  const supplier = await world.createSupplier();
  const { code } = supplier;
  const [refused = '', doubtful = ''] = await world.move(supplier, 2);
  world.mailServer.behaveFor(refused, { kind: 'refuse', at: 'RCPT', answer: '550 5.1.1 No such mailbox' });
  world.mailServer.behaveFor(doubtful, { kind: 'say', words: '199 Well\r\n' });
  expect((await sendEmails(world.sender(), code)).counts).toEqual({ REFUSED: 1, IN_DOUBT: 1 });
  expect(await supplier.get(`problems/${code}/`)).toMatchObject({ status: 200, body: [] });
  expect((await staff.importSuppliers.get.query({ code })).counts).toMatchObject({ completed: 2, complete: 2 });
  expect(await staff.customerEmails.countUnsettled.query({ code })).toMatchObject({ refused: 1, in_doubt: 1 });
  const told = [];
  for (const { external_account_number } of await staff.customerEmails.listOfSupplier.query({ code })) {
    const timeline = await staff.accounts.timeline.query({ code, external_account_number });
    told.push(...timeline.flatMap(({ email }) => email?.state ?? []));
  }
  expect(told.sort()).toEqual(['IN_DOUBT', 'REFUSED']);
});

let senders = 0;
async function createRefused(answer: string) {
  senders += 1;
  const address = `refused.${senders}@northwind.example`;
  world.mailServer.behaveFor(address, { kind: 'refuse', at: 'MAIL', answer });
  return world.createSupplier({ email_sender: `Northwind Energy <${address}>` });
}

const ANSWERS = ['550 5.7.1 Not you', '553 Not this domain', '450 4.7.1 Not you now'];

test.each(ANSWERS)('29.3.4 29.3.8 a sender refused with %s costs nobody a turn, and waits', async (answer) => {
  const [refused, other] = [await createRefused(answer), await world.createSupplier()];
  const [to = ''] = await world.move(refused, 1);
  await world.move(other, 1);
  // A message a second.
  const sending = world.sender({ perMinute: 60 });
  const { counts, unheard } = await sendEmails(sending, refused.code);
  expect([counts, unheard?.why]).toEqual([{ UNREACHABLE: 1 }, 'sender_refused']);
  const { next_attempt_at, ...email } = await world.stateOf(to);
  expect(email).toMatchObject({ state: 'QUEUED', attempts: 0, answer });
  expect(Number(next_attempt_at) - Number(sending.clock())).toBe(MINUTE_MS);
  expect((await sendEmails(sending, other.code)).counts).toEqual({ SENT: 1 });
  // Whose turn it was meanwhile keeps it.
  expect((await sendEmails(sending, other.code)).counts).toEqual({});
});

test('29.3.8 a turn is given back only if nobody else has had one since', async () => {
  const [refused, other] = [await world.createSupplier(), await world.createSupplier()];
  const [to = ''] = await world.move(refused, 1);
  await world.move(other, 2);
  world.mailServer.behaveFor(to, { kind: 'hang', at: 'RCPT' });
  const sending = world.sender({ perMinute: 60, timeouts: { connectMs: 5_000, handOverMs: 2_000 } });
  const hanging = sendEmails(sending, refused.code);
  await until(() => world.mailServer.attempts(to) === 1);
  sending.moveOn(1_000);
  const others = { ...sending, transport: world.sender().transport };
  expect((await sendEmails(others, other.code)).counts).toEqual({ SENT: 1 });
  expect((await hanging).counts).toEqual({ UNREACHABLE: 1 });
  expect((await sendEmails(others, other.code)).counts).toEqual({});
  sending.moveOn(1_000);
  expect((await sendEmails(others, other.code)).counts).toEqual({ SENT: 1 });
});

test('29.3.4 a connection that the server leaves with 421 is one that was kept, and no fault of the message', async () => {
  const supplier = await world.createSupplier();
  const sending = world.sender();
  await world.move(supplier, 1);
  expect((await sendEmails(sending, supplier.code)).counts).toEqual({ SENT: 1 });
  const [to = ''] = await world.move(supplier, 1);
  world.mailServer.behaveFor(to, { kind: 'refuse', at: 'RCPT', answer: '421 4.7.0 Enough of this connection' });
  const { counts, unheard } = await sendEmails(sending, supplier.code);
  expect([counts, unheard?.why, world.mailServer.attempts(to)]).toEqual([{ UNREACHABLE: 1 }, 'left', 2]);
});

const LONE = [
  { name: 'a supplier whose sender is refused', event: 'mail_sender_refused' },
  { name: 'a supplier at whose only customer the server leaves', event: 'mail_server_left' },
];

test.each(LONE)('29.3.4 the e-mails of others continue beside $name', async ({ event }) => {
  const isRefused = event === 'mail_sender_refused';
  const [lone, other] = [
    isRefused ? await createRefused('550 5.7.1 Not you') : await world.createSupplier(),
    await world.createSupplier(),
  ];
  const [to = ''] = await world.move(lone, 1);
  if (!isRefused) world.mailServer.behaveFor(to, { kind: 'cut', at: 'RCPT' });
  const startedAt = Date.now();
  const lanes = startEmailLanes(world.service, world.mailServer.url);
  onTestFinished(() => lanes.stop());
  const told = () => lanes.log.filter((line) => line.includes(event) && line.includes(lone.code));
  await until(() => told().length > 0);
  for (let wave = 0; wave < 2; wave += 1) {
    const addresses = await world.move(other, 2);
    await until(() => addresses.every((each) => world.mailServer.mails.some((mail) => mail.to === each)));
  }
  expect(lanes.log.filter((line) => line.includes('mail_server_unreachable'))).toEqual([]);
  // Again each minute: on a slow machine the test may take longer.
  expect(told().length).toBeLessThanOrEqual(1 + Math.floor((Date.now() - startedAt) / MINUTE_MS));
});

test('29.3.6 an e-mail at which the server left is not in doubt for a kill, while its neighbours are still handed over', async () => {
  const supplier = await world.createSupplier();
  const [left = '', hanging = ''] = await world.move(supplier, 2);
  world.mailServer.behaveFor(left, { kind: 'cut', at: 'RCPT' });
  world.mailServer.behaveFor(hanging, { kind: 'hang', at: 'DATA' });
  const slice = sendEmails(world.sender({ timeouts: { connectMs: 5_000, handOverMs: 3_000 } }), supplier.code);
  const states = async () => [(await world.stateOf(left)).state, (await world.stateOf(hanging)).state].join();
  const seen: string[] = [];
  await Promise.race([slice, until(async () => seen.push(await states()) > 0 && seen.at(-1) === 'QUEUED,SENDING')]);
  expect(seen.at(-1)).toBe('QUEUED,SENDING');
  expect((await slice).counts).toEqual({ UNREACHABLE: 1, IN_DOUBT: 1 });
});
