import { sendEmails } from '@causeway/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS, type SlicesWorld, startSlices } from './start-slices.ts';

// What the answers of a mail server mean.

let world: SlicesWorld;
beforeAll(async () => {
  world = await startSlices();
});
afterAll(() => world.stop());

const RUBBISH = 'rubbish '.repeat(25_000);
const ODD = [
  { name: 'a reply of 199', words: '199 Well\r\n' },
  { name: 'a reply of 354', words: '354 Continue\r\n' },
  { name: 'a reply of 999', words: '999 Well\r\n' },
  { name: '200 kB of rubbish on one line', words: RUBBISH },
  { name: '200 kB of rubbish on many lines', words: `${'rubbish\r\n'.repeat(22_000)}` },
  { name: '200 kB of rubbish that a refusal begins with', words: `554-5.7.1 No\r\n${RUBBISH}` },
];

test.each(ODD)('29.3.5 in doubt: the server says $name to the end of the text', async ({ words }) => {
  const supplier = await world.createSupplier();
  const [to = ''] = await world.move(supplier, 1);
  world.mailServer.behaveFor(to, { kind: 'say', words });
  const sending = world.sender({ timeouts: { connectMs: 5_000, handOverMs: 5_000 } });
  expect((await sendEmails(sending, supplier.code)).counts).toEqual({ IN_DOUBT: 1 });
  world.mailServer.behaveFor(to, { kind: 'take' });
  sending.moveOn(7 * 24 * 60 * MINUTE_MS);
  expect((await sendEmails(sending, supplier.code)).counts).toEqual({});
  expect(await world.stateOf(to)).toMatchObject({ state: 'IN_DOUBT', attempts: 1 });
  expect(world.mailServer.mails.filter((mail) => mail.to === to).length).toBe(1);
});

test('29.3.2 put off, and given up in the end: the server leaves with 421 at the end of the text', async () => {
  const supplier = await world.createSupplier();
  const [to = ''] = await world.move(supplier, 1);
  world.mailServer.behaveFor(to, { kind: 'refuse', at: 'DATA', answer: '421 4.7.0 Too many of you' });
  expect((await sendEmails(world.sender(), supplier.code)).counts).toEqual({ QUEUED: 1 });
  expect(await world.stateOf(to)).toMatchObject({ state: 'QUEUED', attempts: 1, answer: '421 4.7.0 Too many of you' });
});

/** Of relays that do not know us, of lists of bad senders, and of full mailboxes: the address is as good as before. */
const REFUSALS = [
  { answer: '550 relay not permitted', suppresses: false },
  { answer: '550 203.0.113.9 is listed at bl.example', suppresses: false },
  { answer: '551 Not here', suppresses: false },
  { answer: '553 5.7.1 Not your sender', suppresses: false },
  { answer: '552 5.2.2 The mailbox is full', suppresses: false },
  { answer: '550 5.1.1 No such mailbox', suppresses: true },
  { answer: '550 5.1.10 The domain takes no e-mail', suppresses: true },
  { answer: '553 5.1.3 No such address', suppresses: true },
];

test.each(REFUSALS)('29.3.3 refused with $answer: on the suppression list: $suppresses', async (refusal) => {
  const supplier = await world.createSupplier();
  const [to = ''] = await world.move(supplier, 1);
  world.mailServer.behaveFor(to, { kind: 'refuse', at: 'RCPT', answer: refusal.answer });
  expect((await sendEmails(world.sender(), supplier.code)).counts).toEqual({ REFUSED: 1 });
  expect(await world.stateOf(to)).toMatchObject({ state: 'REFUSED', answer: refusal.answer });
  const suppressed = await world.service.database.prisma.emailSuppression.count({ where: { address: to } });
  expect(suppressed).toBe(refusal.suppresses ? 1 : 0);
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
