import { addSupplier, type ReceivedMessage, startWebhookReceiver } from '@causeway/testing';
import { fieldOf, nameOf, send } from '../rig/send.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { waitUntil } from '../rig/wait-until.ts';
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
    await using world = await startWorld({ instances: 1, variables });
    const receiver = await startWebhookReceiver();
    await using _closing = { [Symbol.asyncDispose]: () => receiver.close() };
    const [busy, other] = [await world.createSupplier(), await world.createSupplier()];
    const neighbour = { ...busy, code: `${busy.code}-2` };
    await addSupplier(world.query, neighbour.code, busy.organisationId);
    await createEndpoint(world, busy, { url: `${receiver.url}/busy` });
    await createEndpoint(world, other, { url: `${receiver.url}/other` });
    await createEndpoint(world, neighbour, { url: `${receiver.url}/neighbour`, import_suppliers: [neighbour.code] });
    const sentTo = (path: string) => receiver.messages.filter((message) => message.path === path);
    const waits: Record<'other' | 'neighbour', number[]> = { other: [], neighbour: [] };
    const ask = async (name: keyof typeof waits, supplier: Supplier) => {
      const before = sentTo(`/${name}`).length;
      const addedAt = performance.now();
      await addEvents(world, supplier, 1);
      const hasCome = await waitUntil(() => sentTo(`/${name}`).length > before, PATIENCE_MS);
      waits[name].push(hasCome ? performance.now() - addedAt : PATIENCE_MS);
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
        none(
          'events that have not arrived',
          [...waits.other, ...waits.neighbour].filter((ms) => ms === PATIENCE_MS),
        ),
        none('events of others at an endpoint', [
          ...astray(sentTo('/other'), [other]),
          ...astray(sentTo('/neighbour'), [neighbour]),
          ...astray(sentTo('/busy'), [busy, neighbour]),
        ]),
        within("the longest wait of another organisation's event", otherMs, BESIDE_MANY_MS),
        within('the longest wait of an import supplier with an endpoint of its own', neighbourMs, BESIDE_MANY_MS),
      ],
    };
  },
};

async function createEndpoint(world: World, supplier: Supplier, body: object): Promise<void> {
  const answer = await send(world.url(), { path: '/v1/data-import/webhook-endpoints/', body, token: supplier.token });
  if (answer?.status !== 201)
    throw new Error(
      `Creating an endpoint was answered ${nameOf(answer)}: ${JSON.stringify(fieldOf(answer?.body, 'errors'))}`,
    );
}

/** In one transaction, each about an account of its own. */
async function addEvents(world: World, { code }: Supplier, count: number): Promise<void> {
  await world.query(
    `INSERT INTO events (import_supplier_code, type, external_account_number, data, occurred_at)
     SELECT $1, 'account.staged', 'M-' || number, '{"times_staged": 1}', now() FROM generate_series(1, $2::int) AS number`,
    [code, count],
  );
}

/** Messages of other import suppliers than these. */
function astray(messages: readonly ReceivedMessage[], suppliers: readonly Supplier[]): string[] {
  const codes = suppliers.map(({ code }) => code);
  return messages.map(({ body }) => JSON.parse(body).data.import_supplier).filter((code) => !codes.includes(code));
}
