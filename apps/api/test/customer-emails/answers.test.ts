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
  { name: 'a reply of 354', words: '354 Go on\r\n' },
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
