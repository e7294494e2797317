import { expect, test } from 'vitest';
import type { ClaimedEndpoint } from '../../src/webhooks/claim-webhooks.ts';
import { judge, observe, outcomeOf, standingOf } from '../../src/webhooks/endpoint-health.ts';
import { sendInOrder } from '../../src/webhooks/send-in-order.ts';

const DAYS_MS = 72 * 3_600_000;
const BEGUN = new Date('2026-04-17T09:30:00Z');
const after = (ms: number) => new Date(BEGUN.getTime() + ms);
const answer = (status: number) => ({
  failure: status < 300 ? null : ('status' as const),
  status,
  duration_ms: 1,
  answer: null,
});
const claimed = (fields: Partial<ClaimedEndpoint> = {}): ClaimedEndpoint => ({
  ...{
    id: '',
    organisation_id: '',
    lease: '1',
    revision: '0',
    url: '',
    event_types: [],
    import_suppliers: [],
    position: '0',
    waiting: 0,
  },
  ...{ secret: null, previous_secret: null, secret_unreadable_since: null, failures: 0, failing_since: null },
  ...fields,
});
const message = {
  ...{ message_id: 'evt_1', key: '', event_type: 'account.staged', body: '{}', payload: null, position: '1' },
  ...{ isNew: false, attempts: 1, since: BEGUN },
};

test('28.4.3 an endpoint fails since its attempt began, so that no message is given up because of it', () => {
  const standing = standingOf(claimed());
  // It had no answer for 15 seconds; another, which began later, was refused at once.
  observe(standing, answer(503), { at: after(5_000), now: after(5_001) });
  observe(standing, answer(503), { at: BEGUN, now: after(15_000) });
  const { failing_since, reason } = judge(standing, claimed(), after(15_000));
  expect({ failing_since, reason }).toEqual({ failing_since: BEGUN, reason: null });

  const now = after(DAYS_MS);
  const failing = claimed({ failures: 2, failing_since });
  const last = standingOf(failing);
  observe(last, answer(503), { at: now, now });
  const judged = judge(last, failing, now);
  expect(judged.reason).toBe('failing');
  const sent = { ...message, at: now, answer: answer(503) };
  expect(outcomeOf(sent, now, judged)).toMatchObject({ state: 'WAITING', next_attempt_at: now });
  expect(outcomeOf(sent, now, { ...judged, reason: null })).toMatchObject({ state: 'GIVEN_UP', next_attempt_at: null });
});

test('28.4.2 28.4.3 one message that is accepted ends the failures, one answer 410 the endpoint', () => {
  const resting = claimed({ failures: 12, failing_since: BEGUN });
  const standing = standingOf(resting);
  observe(standing, answer(204), { at: after(1), now: after(2) });
  expect(judge(standing, resting, after(3))).toMatchObject({ failures: 0, failing_since: null, is_back: true });
  observe(standing, answer(410), { at: after(4), now: after(5) });
  expect(judge(standing, resting, after(6))).toMatchObject({ failures: 1, reason: 'gone' });
});

test('28.4.2 28.4.3 a turn in which nothing was sent neither makes an endpoint rest, nor disables it', () => {
  const resting = claimed({ failures: 20, failing_since: BEGUN });
  const untried = judge(standingOf(resting), resting, after(DAYS_MS));
  expect(untried).toMatchObject({ failures: 20, failing_since: BEGUN, not_before: null, reason: null });
  const tried = standingOf(resting);
  observe(tried, answer(503), { at: after(1), now: after(2) });
  expect(judge(tried, resting, after(3)).not_before).toEqual(expect.any(Date));
});

test('28.4.2 once an endpoint accepts a message again, what failed in the same turn is due too', () => {
  const resting = claimed({ failures: 12, failing_since: BEGUN });
  const standing = standingOf(resting);
  const now = after(3);
  observe(standing, answer(204), { at: after(1), now: after(2) });
  observe(standing, answer(503), { at: after(2), now });
  const judged = judge(standing, resting, now);
  const sent = { ...message, attempts: 8, at: after(2), answer: answer(503) };
  expect(outcomeOf(sent, now, judged)).toMatchObject({ state: 'WAITING', attempts: 9, next_attempt_at: now });
});

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
