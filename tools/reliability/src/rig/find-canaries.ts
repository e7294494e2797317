import type { Canary } from './canaries.ts';
import type { World } from './start-world.ts';

/** A place where a canary was found that must not be there. */
export interface Escape {
  where: string;
  text: string;
  /** What was around it. */
  context: string;
}

/** Tables with data from suppliers: customer data belongs in them. Kept answers are for repeats. */
const DATA_TABLES = [
  ...['account_imports', 'accounts', 'customers', 'supply_addresses', 'meter_points', 'payment_schedules'],
  ...['notes', 'transactions', 'statements', 'payment_instructions', 'idempotency_keys'],
];

/** Every row of every table as text, by table: a dump of the database. */
export async function dumpTables(world: World): Promise<Map<string, string>> {
  const tables = await world.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const dump = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await world.query<{ row: string }>(`SELECT one::text AS row FROM "${name}" one`);
    dump.set(name, rows.map(({ row }) => row).join('\n'));
  }
  return dump;
}

/** Searches every named text for canaries that must not be there. */
export function findEscapes(
  canaries: readonly Canary[],
  texts: ReadonlyMap<string, string>,
  dump: ReadonlyMap<string, string>,
): Escape[] {
  const escapes: Escape[] = [];
  const look = (where: string, text: string, wanted: readonly Canary[]) => {
    for (const canary of wanted) {
      const at = positionOf(canary.text, text);
      if (at >= 0) escapes.push({ where, text: canary.text, context: text.slice(Math.max(0, at - 120), at + 60) });
    }
  };
  for (const [where, text] of texts) look(where, text, canaries);
  const foreign = canaries.filter(({ kind }) => kind !== 'data');
  for (const [table, rows] of dump) look(`table ${table}`, rows, DATA_TABLES.includes(table) ? foreign : canaries);
  return escapes;
}

/** A meter reading is a few digits, which are part of many a longer number: 0.0017704410000005735 seconds. */
function positionOf(canary: string, text: string): number {
  return /^\d+$/.test(canary) ? text.search(new RegExp(`(?<![\\d.])${canary}(?!\\d)`)) : text.indexOf(canary);
}

/** The canaries of customer data in the database: the proof that they were sent and accepted. */
export function countStored(canaries: readonly Canary[], dump: ReadonlyMap<string, string>): number {
  const rows = [...dump.values()].join('\n');
  return canaries.filter(({ kind, text }) => kind === 'data' && rows.includes(text)).length;
}
