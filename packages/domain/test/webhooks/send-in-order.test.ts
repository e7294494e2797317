import { expect, test } from 'vitest';
import { sendInOrder } from '../../src/webhooks/send-in-order.ts';

/** Messages by their keys, of which the first is answered once the test says so. */
function start(keys: string, mayBegin: () => boolean) {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const messages = [...keys].map((key, index) => ({ key, name: `${key}${index}` }));
  const sent = sendInOrder(messages, {
    together: 3,
    mayBegin,
    async send({ name }) {
      begun.push(name);
      if (name.endsWith('0')) await answered;
    },
  });
  return { begun, answer, sent: sent.then((all) => all.map(({ name }) => name)) };
}

test('28.2.2 messages with the same key are begun one after the other, those with another meanwhile', async () => {
  const { begun, answer, sent } = start('AABCA', () => true);
  await new Promise(setImmediate);
  expect(begun).toEqual(['A0', 'B2', 'C3']);
  answer();
  expect(await sent).toEqual(['A0', 'A1', 'B2', 'C3', 'A4']);
  expect(begun).toEqual(['A0', 'B2', 'C3', 'A1', 'A4']);
});

test('28.1.5 whether a message may be begun is asked when it is its turn, and no later one is begun after that', async () => {
  let asked = 0;
  // Not the one whose turn comes with the answer; who is asked again may not begin behind it.
  const { begun, answer, sent } = start('AABA', () => ++asked !== 3);
  await new Promise(setImmediate);
  answer();
  expect(await sent).toEqual(['A0', 'B2']);
  expect(begun).toEqual(['A0', 'B2']);
});
