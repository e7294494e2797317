import { warmUp } from '../compare.ts';
import { progress } from '../progress.ts';
import { judge } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { freshPrefix, measureTurn } from '../world/measure-turn.ts';
import { IMPORT_SUPPLIER } from '../world/seed.ts';
import type { World } from '../world/world.ts';
import type { Part } from './part.ts';

/** The difference is smaller than that of two rounds: more of them than elsewhere. */
const ROUNDS_MORE = 2;
const FILLED = 1_000_000;
const POLLS = 200;

/** The journey with events and without, in turns on one service, and what a poll takes behind many events. */
export const events: Part = {
  name: 'events',
  heading: 'Events',
  async measure(world, { effort }) {
    const work = { scenario: 'journey', connections: 16, ...effort } as const;
    const turn = async (isRecorded: boolean) => {
      await record(world, isRecorded);
      return measureTurn(world, world.service, { ...work, prefix: freshPrefix() });
    };
    await warmUp(world, [world.service], work);
    const rates: number[] = [];
    const costs: number[] = [];
    for (let round = 0; round < effort.rounds * ROUNDS_MORE; round += 1) {
      const first = await turn(round % 2 === 0);
      const second = await turn(round % 2 !== 0);
      const [told, silent] = round % 2 === 0 ? [first, second] : [second, first];
      rates.push(told.perSecond / silent.perSecond);
      costs.push((told.cpuMs.postgres + told.cpuMs.system) / (silent.cpuMs.postgres + silent.cpuMs.system));
      progress(`${shown(rates.at(-1) ?? Number.NaN)} of the rate without events`);
    }
    await record(world, true);
    await world.service.ledger.verify();
    const few = await pollMs(world);
    await fill(world);
    const many = await pollMs(world);
    const rate = { value: medianOf(rates), direction: 'at least', mustReach: 0.95 } as const;
    const poll = { value: many / few, direction: 'at most', mustReach: 1.5 } as const;
    const details = [
      `Rate with events, of that without, round by round: ${shownSpread(rates)}; CPU of an account: ${shownSpread(costs)}.`,
      `A poll of 100 events takes ${shown(few)} ms, and ${shown(many)} ms behind ${FILLED.toLocaleString('en-GB')} more.`,
    ];
    return {
      findings: [
        judge('Events: rate of the journey, of that without', rate, rate.value.toFixed(3)),
        judge('Events: a poll behind a million, of one behind few', poll, poll.value.toFixed(2)),
      ],
      details,
    };
  },
};

function record({ postgres, service }: World, isRecorded: boolean): Promise<unknown> {
  return postgres.query(service.database, 'UPDATE event_settings SET is_recorded = $1', [isRecorded]);
}

/** Adds older events of the organisation, in front of all that there are. */
function fill({ postgres, service }: World): Promise<unknown> {
  return postgres.query(
    service.database,
    `WITH filled AS (SELECT set_config('session_replication_role', 'replica', true) AS role)
     INSERT INTO events (organisation_id, id, type, import_supplier_code, external_account_number, data, occurred_at)
     SELECT organisation_id, -number, 'account.staged', code, 'F-' || number, '{"times_staged": 1}', now()
     FROM filled, import_suppliers, generate_series(1, ${FILLED}) AS number
     WHERE code = $1 AND role = 'replica'`,
    [IMPORT_SUPPLIER],
  );
}

/** The median of polls at the end of the events. */
async function pollMs({ postgres, service, token }: World): Promise<number> {
  const [last] = await postgres.query<{ cursor: string }>(
    service.database,
    `SELECT id || '-' || left(event_id::text, 8) AS cursor
     FROM events WHERE organisation_id = (SELECT organisation_id FROM import_suppliers WHERE code = $1)
     ORDER BY id DESC OFFSET 100 LIMIT 1`,
    [IMPORT_SUPPLIER],
  );
  const [instance] = service.instances;
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
