import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@causeway/testing';
import pg from 'pg';
import { send } from '../rig/send.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { exactly, none, type Outcome, type Scenario, within } from '../scenario.ts';

const WRITERS = 16;
const RECORDS_EACH = 25;
/** A transaction stays open for up to so long after it has drawn its numbers. */
const MAX_HELD_MS = 60;
/** What a reader may wait for a writer. */
const MAX_PAGE_MS = 100;
const PAGE_SIZE = 500;
const LISTS = { all: 'all-account-import-processes', imported: 'imported-account-import-processes' };

/**
 * Sixteen sessions stage and complete accounts as the service does, in transactions that are held open and committed in
 * any order, while two readers follow the lists over REST: each record appears once, to both.
 */
export const followLists: Scenario = {
  row: 19,
  title: 'lists followed while 16 transactions at once are held open',
  unit: 'account imports',
  full: 100_000,
  short: 2_000,
  async run(size, random): Promise<Outcome> {
    await using world = await startWorld({ instances: 2 });
    const supplier = await world.createSupplier();
    const state = { isOver: false };
    const all = follow(world, { supplier, list: LISTS.all, instance: 0, state });
    const imported = follow(world, { supplier, list: LISTS.imported, instance: 1, state });
    const transactions = Math.ceil(size / RECORDS_EACH);
    const numbers = Array.from({ length: transactions }, (_, index) => index);
    const inLane = async () => writeAll(world, supplier, { numbers, random });
    await Promise.all(Array.from({ length: WRITERS }, inLane)).finally(() => {
      state.isOver = true;
    });
    const [seenAll, seenImported] = await Promise.all([all, imported]);
    const written = transactions * RECORDS_EACH;
    const slowest = Math.max(seenAll.slowestMs, seenImported.slowestMs);
    return {
      figures: `${written} staged and completed by ${WRITERS} sessions; all: ${describe(seenAll)}; imported: ${describe(seenImported)}`,
      claims: [
        exactly('account imports seen in the list of all', seenAll.numbers.size, written),
        exactly('account imports seen in the list of the imported', seenImported.numbers.size, written),
        ...none({ 'seen twice': [...seenAll.twice, ...seenImported.twice] }),
        within('the slowest page', slowest, MAX_PAGE_MS),
      ],
    };
  },
};

interface Writing {
  /** What is left to write: each session takes the next. */
  numbers: number[];
  random: Random;
}

async function writeAll({ postgres }: World, { code }: Supplier, { numbers, random }: Writing): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
      await inHeldTransaction(client, random, { text: STAGE, values: [code, `${number}`, RECORDS_EACH] });
      const ids = Array.from({ length: RECORDS_EACH }, (_, index) => `${number}-${index + 1}`);
      await inHeldTransaction(client, random, { text: COMPLETE, values: [code, ids] });
    }
  } finally {
    await client.end();
  }
}

const STAGE = `INSERT INTO account_imports
    (id, import_supplier_code, external_account_number, state, payload, staged_at, updated_at)
  SELECT account_import_id($1, $2 || '-' || n), $1, $2 || '-' || n, 'STAGED', '{}', now(), now()
  FROM generate_series(1, $3::int) AS n`;
const COMPLETE = `UPDATE account_imports
  SET state = 'COMPLETED', attempts = 1, completed_at = now(), service_account_number = 'A-' || external_account_number
  WHERE id IN (SELECT account_import_id($1, number) FROM unnest($2::text[]) AS number) AND state = 'STAGED'`;

/** One statement, whose first value is the supplier's code. */
async function inHeldTransaction(
  client: pg.Client,
  random: Random,
  { text, values }: { text: string; values: unknown[] },
): Promise<void> {
  await client.query('BEGIN');
  await client.query('SELECT share_import_supplier($1, true)', values.slice(0, 1));
  await client.query(text, values);
  await delay(random.integer(0, MAX_HELD_MS));
  await client.query('COMMIT');
}

interface Following {
  supplier: Supplier;
  list: string;
  instance: number;
  state: { isOver: boolean };
}

interface Seen {
  numbers: Set<string>;
  twice: string[];
  pages: number;
  /** Pages without a record that had a next one. */
  empty: number;
  slowestMs: number;
}

/** Follows `Link` to the end, and continues behind the last record, until all is written. */
async function follow(world: World, { supplier, list, instance, state }: Following): Promise<Seen> {
  const seen: Seen = { numbers: new Set(), twice: [], pages: 0, empty: 0, slowestMs: 0 };
  const first = `/v1/data-import/${list}/${supplier.code}/?limit=${PAGE_SIZE}`;
  let last: string | undefined;
  for (;;) {
    const isLastPass = state.isOver;
    let path: string | undefined = last === undefined ? first : `${first}&after=${last}`;
    while (path !== undefined) {
      const startedAt = performance.now();
      const answer = await send(world.url(instance), { path, token: supplier.token });
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - startedAt);
      if (answer?.status !== 200) throw new Error(`${path} was answered ${answer?.status}`);
      const page = (answer.body as { external_account_number: string }[]).map(
        (record) => record.external_account_number,
      );
      seen.twice.push(...page.filter((number) => seen.numbers.has(number)));
      for (const number of page) seen.numbers.add(number);
      path = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('Link') ?? '')?.[1];
      seen.pages += 1;
      if (page.length === 0 && path !== undefined) seen.empty += 1;
      last = page.at(-1) ?? last;
    }
    if (isLastPass) return seen;
    await delay(1);
  }
}

function describe({ numbers, pages, empty, slowestMs }: Seen): string {
  return `${numbers.size} in ${pages} pages, ${empty} empty ones with a next, the slowest ${Math.round(slowestMs)} ms`;
}
