import { addSupplier, type ReceivedMessage, startWebhookReceiver } from '@causeway/testing';
import { type Supplier, startWorld } from '../rig/start-world.ts';
import { waitUntil } from '../rig/wait.ts';
import { addEvents, createEndpoint, waitOf } from '../rig/webhooks.ts';
import { exactly, none, type Outcome, type Scenario, within } from '../scenario.ts';

/** Few, so that anyone who holds one for long is felt. */
const LANES = '2';
/** What an event may wait beside the many. */
const BESIDE_MANY_MS = 5_000;
/** Nothing takes longer, on a slow machine. */
const PATIENCE_MS = 120_000;
/** Events of the others, one after the other. */
const ASKED = { small: 2, large: 30 };
const MANY = 100_000;

/**
 * An organisation has very many events at once, by the owner's hand, since no import is that fast. Another one, and another
 * import supplier of the same one with an endpoint of its own, have one now and then.
 */
export const sendBesideMany: Scenario = {
  row: 37,
  title: 'very many events of one organisation are sent while others have one now and then',
  unit: 'events',
  full: 1_000_000,
  short: 20_000,
  async run(events): Promise<Outcome> {
    const variables = { WEBHOOK_LANES: LANES, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
    await using world = await startWorld({ variables });
    await using stack = new AsyncDisposableStack();
    const receiver = await startWebhookReceiver();
    stack.defer(() => receiver.close());
    const [busy, other] = [await world.createSupplier(), await world.createSupplier()];
    const neighbour = { ...busy, code: `${busy.code}-2` };
    await addSupplier(world.query, neighbour.code, busy.organisationId);
    await createEndpoint(world, busy, { url: `${receiver.url}/busy` });
    await createEndpoint(world, other, { url: `${receiver.url}/other` });
    await createEndpoint(world, neighbour, { url: `${receiver.url}/neighbour`, import_suppliers: [neighbour.code] });
    const sentTo = (path: string) => receiver.messages.filter((message) => message.path === path);
    const waits: Record<'other' | 'neighbour', number[]> = { other: [], neighbour: [] };
    const ask = async (name: keyof typeof waits, supplier: Supplier) => {
      const messages = () => sentTo(`/${name}`).length;
      waits[name].push(await waitOf(world, supplier, { messages, patienceMs: PATIENCE_MS }));
    };

    const added = addEvents(world, busy, events);
    await ask('other', other);
    await added;
    await Promise.all([ask('neighbour', neighbour), ask('other', other)]);
    await waitUntil(() => sentTo('/busy').length > 0, PATIENCE_MS);
    for (let asked = 0; asked < (events < MANY ? ASKED.small : ASKED.large); asked += 1) {
      await Promise.all([ask('other', other), ask('neighbour', neighbour)]);
    }
    const [otherMs, neighbourMs] = [Math.max(...waits.other), Math.max(...waits.neighbour)];
    const sent = sentTo('/busy').length;
    return {
      figures: `${events} events, ${sent} of them sent meanwhile; ${waits.other.length} of another organisation: ${Math.round(otherMs)} ms later at most; ${waits.neighbour.length} of another import supplier of the same one, at an endpoint of its own: ${Math.round(neighbourMs)} ms, the first one behind all of them ${Math.round(waits.neighbour[0] ?? 0)} ms`,
      claims: [
        exactly(
          'endpoints without a message',
          [sent, ...Object.values(waits).map(({ length }) => length)].filter((count) => count === 0).length,
          0,
        ),
        ...none({
          'events that have not arrived': [...waits.other, ...waits.neighbour].filter((ms) => ms === PATIENCE_MS),
          'events of others at an endpoint': [
            ...astray(sentTo('/other'), [other]),
            ...astray(sentTo('/neighbour'), [neighbour]),
            ...astray(sentTo('/busy'), [busy, neighbour]),
          ],
        }),
        within("the longest wait of another organisation's event", otherMs, BESIDE_MANY_MS),
        within('the longest wait of an import supplier with an endpoint of its own', neighbourMs, BESIDE_MANY_MS),
      ],
    };
  },
};

/** Messages of other import suppliers than these. */
function astray(messages: readonly ReceivedMessage[], suppliers: readonly Supplier[]): string[] {
  const codes = suppliers.map(({ code }) => code);
  return messages.map(({ body }) => JSON.parse(body).data.import_supplier).filter((code) => !codes.includes(code));
}
