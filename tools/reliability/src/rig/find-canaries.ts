import type { Canary } from './canaries.ts';
import type { ServiceWorld } from './service-world.ts';
import type { World } from './start-world.ts';

/** A place where a canary was found that must not be there. */
export interface Escape {
  where: string;
  text: string;
  /** What was around it. */
  context: string;
}

/** Tables in which some canaries belong. */
const TABLES: Partial<Record<Canary['kind'], readonly string[]>> = {
  // Data from suppliers. Kept answers are for repeats.
  data: [
    ...['account_imports', 'accounts', 'customers', 'supply_addresses', 'meter_points', 'payment_schedules'],
    ...['notes', 'transactions', 'statements', 'payment_instructions', 'idempotency_keys', 'customer_emails'],
  ],
  told: ['webhook_endpoints', 'webhook_deliveries', 'email_templates'],
};

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
  for (const [table, rows] of dump) {
    const foreign = canaries.filter(({ kind }) => !TABLES[kind]?.includes(table));
    look(`table ${table}`, rows, foreign);
  }
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

/** The lines of all instances' logs that have one of these texts. */
export function inTheLog({ instances }: Pick<ServiceWorld, 'instances'>, texts: readonly string[]): string[] {
  const lines = instances.flatMap(({ process }) => [...process.logLines, ...process.errorLines]);
  return lines.filter((line) => texts.some((text) => line.includes(text)));
}
