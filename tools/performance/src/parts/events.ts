import { warmUp } from '../compare.ts';
import { progress } from '../progress.ts';
import { judge } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { freshPrefix, measureTurn } from '../world/measure-turn.ts';
import { IMPORT_SUPPLIER } from '../world/seed.ts';
import type { Target, World } from '../world/world.ts';
import type { Part } from './part.ts';

/** The difference is smaller than that of two rounds: more of them than elsewhere. */
const ROUNDS_MORE = 2;
const FILLED = 10_000_000;
const POLLS = 200;

/**
 * The journey with events beside the journey without, each on a database of its own and with half of the connections, so
 * that what else happens on the machine happens to both; they change sides each round. Then what a poll takes behind many
 * events.
 */
export const events: Part = {
  name: 'events',
  heading: 'Events',
  async measure(world, { effort }) {
    const sides = [await world.startTarget('events one'), await world.startTarget('events two')] as const;
    const [first, second] = sides;
    const pair = { ...first, name: 'pair', instances: [...first.instances, ...second.instances] };
    const work = { scenario: 'journey', connections: 16, ...effort } as const;
    await warmUp(world, [pair], work);
    const rates: number[] = [];
    for (let round = 0; round < effort.rounds * ROUNDS_MORE; round += 1) {
      const [told, silent] = round % 2 === 0 ? [first, second] : [second, first];
      await Promise.all([record(world, told, true), record(world, silent, false)]);
      const before = await Promise.all([told, silent].map((side) => countAccounts(world, side)));
      await measureTurn(world, pair, { ...work, prefix: freshPrefix() });
      const after = await Promise.all([told, silent].map((side) => countAccounts(world, side)));
      const [withEvents = 0, without = 0] = after.map((count, index) => count - (before[index] ?? 0));
      rates.push(withEvents / without);
      progress(`${shown(rates.at(-1) ?? Number.NaN)} of the rate without events`);
    }
    await record(world, first, true);
    await second.instances[0]?.stop();
    // The first ones are compiled.
    await pollMs(world, first);
    const few = await pollMs(world, first);
    await fill(world, first);
    const many = await pollMs(world, first);
    await first.instances[0]?.stop();
    // Of a pair of rounds, in which each side had them once: the sides themselves are not quite alike.
    const pairs = rates.flatMap((rate, index) =>
      index % 2 === 0 ? [] : [Math.sqrt(rate * (rates[index - 1] ?? rate))],
    );
    const rate = { value: medianOf(pairs), direction: 'at least', mustReach: 0.95 } as const;
    const poll = { value: many / few, direction: 'at most', mustReach: 1.5 } as const;
    const details = [
      `Rate with events, of that without, by pairs of rounds: ${shownSpread(pairs)}.`,
      `A poll of 100 events takes ${shown(few)} ms, and ${shown(many)} ms behind ${FILLED.toLocaleString('en-GB')} more.`,
    ];
    return {
      findings: [
        judge('Events: rate of the journey, of that without', rate, rate.value.toFixed(3)),
        judge('Events: a poll behind ten million, of one behind few', poll, poll.value.toFixed(2)),
      ],
      details,
    };
  },
};

async function countAccounts({ postgres }: World, { database }: Target): Promise<number> {
  const [counted] = await postgres.query<{ count: string }>(database, 'SELECT count(*) FROM accounts');
  return Number(counted?.count);
}

function record({ postgres }: World, { database }: Target, isRecorded: boolean): Promise<unknown> {
  return postgres.query(database, 'UPDATE event_settings SET is_recorded = $1', [isRecorded]);
}

/** Adds older events of the organisation, in front of all that there are; vacuumed, as time would see to it. */
async function fill({ postgres }: World, { database }: Target): Promise<void> {
  await postgres.query(
    database,
    `WITH filled AS (SELECT set_config('session_replication_role', 'replica', true) AS role)
     INSERT INTO events (organisation_id, id, type, import_supplier_code, external_account_number, data, occurred_at)
     SELECT organisation_id, -number, 'account.staged', code, 'F-' || number, '{"times_staged": 1}', now()
     FROM filled, import_suppliers, generate_series(1, ${FILLED}) AS number
     WHERE code = $1 AND role = 'replica'`,
    [IMPORT_SUPPLIER],
  );
  await postgres.query(database, 'VACUUM ANALYZE events');
}

/** The median of polls at the end of the events. */
async function pollMs({ postgres, token }: World, { database, instances }: Target): Promise<number> {
  const [last] = await postgres.query<{ cursor: string }>(
    database,
    `SELECT id || '-' || left(event_id::text, 8) AS cursor
     FROM events WHERE organisation_id = (SELECT organisation_id FROM import_suppliers WHERE code = $1)
     ORDER BY id DESC OFFSET 100 LIMIT 1`,
    [IMPORT_SUPPLIER],
  );
  const [instance] = instances;
  const headers = { Authorization: `Token ${await token()}` };
  const took: number[] = [];
  while (took.length < POLLS) {
    const startedAt = performance.now();
    const answer = await fetch(`${instance?.url}/v1/data-import/events/?after=${last?.cursor}&limit=100`, { headers });
    const { events } = (await answer.json()) as { events?: unknown[] };
    if (events?.length !== 100) throw new Error(`A poll answered ${answer.status} with ${events?.length} events`);
    took.push(performance.now() - startedAt);
  }
  return medianOf(took);
}
