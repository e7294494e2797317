import { mustSend } from './send.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';
import { waitUntil } from './wait.ts';

type Endpoint = { url: string; description?: string; import_suppliers?: readonly string[] };

/** Creates an endpoint of an organisation: its id, and the secret that messages to it are signed with. */
export async function createEndpoint(world: ServiceWorld, { token }: Supplier, body: Endpoint) {
  const created = await mustSend(world.url(), { path: '/v1/data-import/webhook-endpoints/', body, token });
  return created as { id: string; secret: string };
}

/** In one transaction, each about an account of its own: no import is that fast. */
export async function addEvents(world: ServiceWorld, { code }: Supplier, count: number): Promise<void> {
  await world.query(
    `INSERT INTO events (import_supplier_code, type, external_account_number, data, occurred_at)
     SELECT $1, 'account.staged', 'M-' || number, '{"times_staged": 1}', now() FROM generate_series(1, $2::int) AS number`,
    [code, count],
  );
}

/** How long the next message takes after an event; the patience, if it has not come then. */
export async function waitOf(
  world: ServiceWorld,
  supplier: Supplier,
  { messages, patienceMs }: { messages: () => number; patienceMs: number },
): Promise<number> {
  const before = messages();
  const addedAt = performance.now();
  await addEvents(world, supplier, 1);
  const hasCome = await waitUntil(() => messages() > before, patienceMs);
  return hasCome ? performance.now() - addedAt : patienceMs;
}
