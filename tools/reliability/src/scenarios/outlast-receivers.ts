import { setTimeout as delay } from 'node:timers/promises';
import { startTalker, startWebhookReceiver } from '@causeway/testing';
import { createGoodClient } from '../rig/good-client.ts';
import { AT_ANY_SPEED, startWorld } from '../rig/start-world.ts';
import { waitUntil } from '../rig/wait.ts';
import { addEvents, createEndpoint, waitOf } from '../rig/webhooks.ts';
import { exactly, none, type Outcome, type Scenario, within } from '../scenario.ts';

const FULL_SECONDS = 20;
const RECEIVERS = 4;
const HINT = 'HTTP/1.1 103 Early Hints\r\n\r\n';
const ENDLESS = [
  { beginning: '', again: HINT.repeat(1_000) },
  { beginning: 'HTTP/1.1 200 OK\r\n\r\n', again: 'y' },
];
const EVENTS = 200;
const PATIENCE_MS = 120_000;
/** What an event of another organisation may wait, as beside receivers that hang. */
const EVENT_MS = 5_000;
const SLOWER_MS = 100;

/** Receivers of one organisation send without an end; another one must not notice. */
export const outlastReceivers: Scenario = {
  row: 40,
  title: 'receivers of webhooks that send byte by byte without an end, beside a good organisation',
  alone: true,
  unit: 'seconds',
  full: FULL_SECONDS,
  short: 1,
  async run(seconds, random): Promise<Outcome> {
    await using stack = new AsyncDisposableStack();
    const networks = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_LANES: '8' };
    const variables = { ...networks, ...(seconds < FULL_SECONDS && AT_ANY_SPEED) };
    const world = stack.use(await startWorld({ variables }));
    const receiver = await startWebhookReceiver();
    stack.defer(() => receiver.close());
    const [hostile, supplier] = [await world.createSupplier(), await world.createSupplier()];
    await createEndpoint(world, supplier, { url: receiver.url });
    const good = createGoodClient(world, supplier, random.fork('good'));
    const calm = await good.measure(seconds * 1_000);
    const talkers = await Promise.all(
      Array.from({ length: RECEIVERS }, (_, place) =>
        startTalker(ENDLESS[place % ENDLESS.length] ?? { beginning: '', again: HINT }),
      ),
    );
    for (const talker of talkers) {
      stack.use(talker);
      await createEndpoint(world, hostile, { url: `http://127.0.0.1:${talker.port}/` });
    }
    await addEvents(world, hostile, EVENTS);
    await waitUntil(() => talkers.every(({ counts }) => counts.opened > 0), PATIENCE_MS);
    const until = performance.now() + seconds * 1_000;
    const waits: number[] = [];
    const waiting = async () => {
      const messages = () => receiver.messages.length;
      // There is one after each event, and others of the good client's calls.
      do waits.push(await waitOf(world, supplier, { messages, patienceMs: PATIENCE_MS }));
      while (performance.now() < until && (await delay(50, true)));
    };
    const [during] = await Promise.all([good.measure(seconds * 1_000), waiting()]);
    const opened = talkers.reduce((sum, { counts }) => sum + counts.opened, 0);
    const asked = talkers.filter(({ counts }) => counts.opened > 0).length;
    const slowest = Math.max(...waits);
    return {
      figures: `${opened} connections to ${RECEIVERS} endless receivers; ${waits.length} events of another organisation: ${Math.round(slowest)} ms later at most; a good organisation's p99 ${Math.round(calm.p99)} ms before, ${Math.round(during.p99)} ms meanwhile, ${during.refused.length} of ${during.calls} calls refused`,
      claims: [
        exactly('endless receivers that were asked', asked, RECEIVERS),
        ...none({ 'events that have not arrived': waits.filter((ms) => ms >= PATIENCE_MS) }),
        within("the longest wait of another organisation's event", slowest, EVENT_MS),
        ...none({ 'calls of the good organisation that were refused': [...calm.refused, ...during.refused] }),
        within('p99 of the good organisation, 100 ms over what it was', during.p99, calm.p99 + SLOWER_MS),
      ],
    };
  },
};
