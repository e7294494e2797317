import type { Part, PublishedInterface, PublishedOperation } from '../fuzz/published-interface.ts';
import { isFree } from '../fuzz/values.ts';
import type { ServiceWorld } from './service-world.ts';
import type { World } from './start-world.ts';

/** A text that can be recognised wherever it appears. */
export interface Canary {
  text: string;
  /**
   * Customer data, which belongs in the account tables; what is told to others, and what they answer, which belongs in
   * the tables of that; or refused or secret data, which must not appear anywhere.
   */
  kind: 'data' | 'told' | 'refused' | 'secret';
}

/** Makes canaries and remembers them. */
export class Canaries {
  readonly all: Canary[] = [];

  /** A new text of this kind. */
  create(kind: Canary['kind']): string {
    const text = `canary${kind}${this.all.length}z`;
    this.adopt(kind, text);
    return text;
  }

  /** A text that exists already. */
  adopt(kind: Canary['kind'], text: string): void {
    this.all.push({ kind, text });
  }
}

/** Fields that identify a person although they accept no free text: their examples are used as canaries unchanged. */
const TELLING = ['email', 'billing_email', 'mobile', 'landline', 'date_of_birth', 'reading_value'];

/**
 * A copy of a valid body in which every free text is a canary, and every missing field is added if the service still
 * accepts the body: only the service knows the rules between fields.
 */
export async function populate(
  {
    published,
    canaries,
    isValid,
  }: { published: PublishedInterface; canaries: Canaries; isValid: (body: unknown) => Promise<boolean> },
  operation: PublishedOperation,
  body: Part,
): Promise<Part> {
  const whole = structuredClone(body);

  async function visit(value: unknown, schema: Part): Promise<void> {
    const { properties, items, oneOf } = published.resolve(schema);
    if (Array.isArray(value)) return visit(value[0], (items ?? {}) as Part);
    if (typeof value !== 'object' || value === null || (properties === undefined && oneOf === undefined)) return;
    const fields = Object.entries((properties ?? published.resolve((oneOf as Part[])[0] ?? {}).properties) as Part);
    for (const [name, field] of fields) await place(value as Part, name, field as Part);
  }

  async function place(parent: Part, name: string, schema: Part): Promise<void> {
    const { type, pattern, examples, format, enum: choices } = published.resolve(schema);
    const before = parent[name];
    if (IDENTIFIERS.includes(name)) return;
    const isText = type === 'string' && choices === undefined && format === undefined && isFree(pattern);
    const candidate = isText
      ? canaries.create('data').slice(0, 50)
      : (before ?? (examples as unknown[] | undefined)?.[0]);
    if (candidate === undefined) return;
    parent[name] = structuredClone(candidate);
    if (!(await isValid(whole))) {
      if (before === undefined) delete parent[name];
      else parent[name] = before;
    } else if (!isText && TELLING.includes(name) && typeof candidate === 'string') canaries.adopt('data', candidate);
    await visit(parent[name], schema);
  }

  await visit(whole, operation.schema ?? {});
  return whole;
}

/** What names the account, the team and the vendor: operators need them in logs. */
const IDENTIFIERS = [
  'import_supplier',
  'import_supplier_code',
  'external_account_number',
  'operations_team_name',
  'vendor',
];

// Longer than any field may be: invalid even for a free-text field.
const WRONG_LENGTH = 100_000;

/** For each leaf of a body, copies in which it is a list with a canary, or a wrong text that begins with one. */
export function spoil(canaries: Canaries, body: Part): Part[] {
  const wrong = [() => [canaries.create('refused')], () => canaries.create('refused').padEnd(WRONG_LENGTH, ' x')];
  const spoilt = wrong.flatMap((make) => leavesOf(body).map((path) => ({ path, value: make() })));
  return spoilt.map(({ path, value }) => {
    const copy = structuredClone(body);
    const parent = path.slice(0, -1).reduce<Part>((part, key) => part[key] as Part, copy);
    parent[path.at(-1) ?? ''] = value;
    return copy;
  });
}

/** Fields that take any JSON: nothing in them is invalid. */
const OF_ANY_JSON = ['additional_data', 'metadata'];

function leavesOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  return Object.entries(value)
    .filter(([key]) => !OF_ANY_JSON.includes(key))
    .flatMap(([key, inner]) => leavesOf(inner).map((path) => [key, ...path]));
}

/** A place where a canary was found that must not be there. */
interface Escape {
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
    ...['notes', 'transactions', 'statements', 'payment_instructions', 'superseded_payment_instructions'],
    ...['idempotency_keys', 'customer_emails'],
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
