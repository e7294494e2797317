import type { Random } from '@causeway/testing';
import { mutateText, mutateValue } from '../fuzz/values.ts';
import { bookLine, moveBooks } from '../rig/move-books.ts';
import { performSteps } from '../rig/operations.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { exactly, listed, none, type Outcome, type Scenario, tally } from '../scenario.ts';

/** Of every hundred lines: those that are spoilt, come twice, or name an account that exists already. */
const SPOILT = 0.3;
const TWICE = 0.05;
const EXISTING = 0.05;

/** A rehearsal leaves nothing, and the real run that follows has the same outcome for every line, whatever the line. */
export const rehearseThenMove: Scenario = {
  row: 26,
  title: 'a rehearsal, and the real run that follows it',
  unit: 'lines of any kind',
  full: 20_000,
  short: 200,
  async run(size, random): Promise<Outcome> {
    await using world = await startWorld({ instances: 2 });
    const supplier = await world.createSupplier();
    const { lines, good, again } = drawLines(supplier, size, random.fork('lines'));
    for (const account of again) await performSteps(world, supplier, account, ['stage', 'process']);
    const movers = moveBooks(world, supplier, random.fork('book'));
    const book = await movers.uploadBook(lines);
    const before = await rowsOf(world);
    await movers.start(book, 'REHEARSAL');
    const rehearsed = await movers.leaves(book, ['PLANNING', 'RUNNING']);
    const foreseen = await movers.readResults(book);
    const after = await rowsOf(world);
    await movers.start(book, 'REAL');
    const moved = await movers.leaves(book, ['PLANNING', 'RUNNING']);
    const found = await movers.readResults(book);
    const differ = foreseen.flatMap((one, index) => {
      const [was, is] = [withoutNumber(one), withoutNumber(found[index])];
      return was === is ? [] : [{ line: index + 1, was, is }];
    });
    const created = new Set(
      found.flatMap(({ outcome, external_account_number }) => (outcome === 'created' ? [external_account_number] : [])),
    );
    const numbers = found.map(({ line }) => line);
    return {
      figures: `${lines.length} lines: ${listed(tally(found.map(({ outcome }) => outcome)))}; ${differ.length} with another outcome than rehearsed`,
      claims: [
        exactly('the state after the rehearsal', String(rehearsed), 'REHEARSED'),
        exactly('the state after the real run', String(moved), 'FINISHED'),
        ...none({
          'rows that a rehearsal has left': changedRows(before, after),
          'lines with another outcome than rehearsed': differ,
          'good lines that were not created': good.filter((account) => !created.has(account)),
        }),
        exactly(
          'lines with one outcome each, in their order',
          numbers.join() === lines.map((_, index) => index + 1).join() ? 'all' : 'not all',
          'all',
        ),
      ],
    };
  },
};

interface Drawn {
  lines: (string | Buffer)[];
  /** The accounts that have to be created. */
  good: string[];
  /** The accounts that exist before. */
  again: string[];
}

function drawLines(supplier: Supplier, size: number, random: Random): Drawn {
  const drawn: Drawn = { lines: [], good: [], again: [] };
  for (let number = 1; number <= size; number += 1) {
    const account = `LINE-${number}`;
    const line = bookLine(supplier, account);
    const text = JSON.stringify(line);
    if (random.chance(SPOILT)) {
      const spoilt = random.chance(0.5) ? mutateText(random, text) : JSON.stringify(mutateValue(random, line));
      drawn.lines.push(onOneLine(spoilt));
    } else if (random.chance(EXISTING)) {
      drawn.again.push(account);
      drawn.lines.push(text);
    } else {
      drawn.good.push(account);
      drawn.lines.push(text);
      if (random.chance(TWICE)) drawn.lines.push(text);
    }
  }
  return drawn;
}

/** A line has no line break, and is not blank: blank lines have no outcome. */
function onOneLine(spoilt: string | Buffer): Buffer {
  const bytes = Buffer.from(spoilt).map((byte) => (byte === 10 || byte === 13 ? 32 : byte));
  return bytes.every((byte) => byte === 32 || byte === 9) ? Buffer.from('{') : Buffer.from(bytes);
}

/** What is recorded of a job itself, beside its own tables. */
const NOT_OF_JOBS: Record<string, string> = {
  audit_events: `WHERE subject <> 'bulk_job'`,
  events: `WHERE type NOT LIKE 'bulk_job.%'`,
};

/** How many rows each table has, and a digest of them; what is recorded of jobs themselves is left out. */
async function rowsOf(world: World): Promise<Record<string, string>> {
  const tables = await world.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'bulk%'
      AND table_name NOT IN ('progress_samples', 'refresh_tokens', 'rate_limits', 'idempotency_keys', 'refusal_settlements')`,
  );
  const counted = tables.map(async ({ name }) => {
    const [row] = await world.query<{ digest: string }>(
      `SELECT count(*) || ' ' || coalesce(sum(hashtextextended(one::text, 0)), 0) AS digest FROM "${name}" AS one
      ${NOT_OF_JOBS[name] ?? ''}`,
    );
    return [name, row?.digest ?? ''] as const;
  });
  return Object.fromEntries(await Promise.all(counted));
}

function changedRows(before: Record<string, string>, after: Record<string, string>): object[] {
  return Object.keys(after).flatMap((table) =>
    before[table] === after[table] ? [] : [{ table, before: before[table], after: after[table] }],
  );
}

/** The result without what only a real run can tell. */
function withoutNumber(result: object | undefined): string {
  const { service_account_number: _drawn, ...rest } = Object(result);
  return JSON.stringify(rest);
}
