import { sendEmails } from '@causeway/domain';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { until } from '../support/until.ts';
import { startEmailLanes } from './start-lanes.ts';
import { MINUTE_MS, type SlicesWorld, startSlices } from './start-slices.ts';

// Whom the mail server does not listen to holds up nobody else.

let world: SlicesWorld;
beforeAll(async () => {
  world = await startSlices();
});
afterAll(() => world.stop());

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
  const sending = world.sender({ perMinute: 60, timeouts: { connectMs: 5_000, handOverMs: 400 } });
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
  for (let wave = 0; wave < 4; wave += 1) {
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
  const slice = sendEmails(world.sender({ timeouts: { connectMs: 5_000, handOverMs: 1_000 } }), supplier.code);
  const states = async () => [(await world.stateOf(left)).state, (await world.stateOf(hanging)).state].join();
  const seen: string[] = [];
  await Promise.race([slice, until(async () => seen.push(await states()) > 0 && seen.at(-1) === 'QUEUED,SENDING')]);
  expect(seen.at(-1)).toBe('QUEUED,SENDING');
  expect((await slice).counts).toEqual({ UNREACHABLE: 1, IN_DOUBT: 1 });
});
