import { type PartResult, table } from '../report/finding.ts';
import { shown } from '../report/statistics.ts';
import type { Target, World } from './world.ts';

/** The tables that grow with the imports; a sequential scan of the others is cheap. */
const LARGE_TABLES = ['account_imports', 'accounts'];

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

/** How often PostgreSQL has scanned the large tables from end to end, by database and table. */
export async function sequentialScans({ postgres }: World, targets: Target[]): Promise<Map<string, number>> {
  const scans = new Map<string, number>();
  for (const { database } of targets) {
    // The bench has scanned them itself, to count; scans that are not reported yet would later count as the service's.
    await postgres.query(database, 'SELECT pg_stat_force_next_flush()');
    const rows = await postgres.query<{ relname: string; seq_scan: string }>(
      database,
      'SELECT relname, seq_scan FROM pg_stat_user_tables WHERE relname = ANY ($1)',
      [LARGE_TABLES],
    );
    for (const { relname, seq_scan } of rows) scans.set(`${database}.${relname}`, Number(seq_scan));
  }
  return scans;
}

/**
 * Whether a statement that the service ran has a sequential scan of a large table in its plan (EXPLAIN), or PostgreSQL
 * counted one while the bench ran: the cost of such a call grows with the imports.
 */
export async function checkPlans(
  world: World,
  target: Target,
  seen: { work: string; statements: string[]; scansBefore: Map<string, number> },
): Promise<PartResult> {
  const rows: string[][] = [];
  const scanning: string[] = [];
  for (const statement of seen.statements.filter((text) => LARGE_TABLES.some((name) => text.includes(name)))) {
    const nodes = (await explain(world, target, statement)).filter(isLarge);
    const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']);
    const indexes = new Set(nodes.flatMap((node) => node['Index Name'] ?? []));
    if (scanned.length > 0) scanning.push(`${firstWords(statement)} scans ${scanned.join(', ')}`);
    rows.push([firstWords(statement), [...indexes].join(', '), scanned.join(', ')]);
  }
  if (rows.length === 0) throw new Error('No statement of the service was seen, so no plan could be checked');
  const after = await sequentialScans(world, [target]);
  const counted = [...after].filter(([name, count]) => count > (seen.scansBefore.get(name) ?? 0));
  const isFlat = scanning.length === 0 && counted.length === 0;
  const reached = isFlat
    ? `${rows.length} statements explained, none`
    : [...scanning, ...counted.map(([name]) => `PostgreSQL counted scans of ${name}`)].join('; ');
  return {
    findings: [
      {
        work: seen.work,
        mustReach: 'none',
        aim: '',
        reached,
        verdict: isFlat ? 'reached' : 'missed: it grows with the imports',
      },
    ],
    details: [table(['statement', 'indexes of the large tables', 'sequential scans'], rows)],
  };
}

async function explain({ postgres }: World, { database }: Target, statement: string): Promise<PlanNode[]> {
  const [row] = await postgres.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    database,
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement}`,
  );
  const nodes: PlanNode[] = [];
  const collect = (node: PlanNode) => {
    nodes.push(node);
    node.Plans?.forEach(collect);
  };
  if (row !== undefined) collect(row['QUERY PLAN'][0].Plan);
  return nodes;
}

function isLarge(node: PlanNode): boolean {
  const name = node['Relation Name'] ?? node['Index Name'] ?? '';
  return LARGE_TABLES.some((large) => name === large || name.startsWith(`${large}_`));
}

function firstWords(statement: string): string {
  return `\`${statement.replaceAll(/\s+/g, ' ').slice(0, 90).replaceAll('|', '\\|')}\``;
}

/** The tables and indexes at each size, in MB. */
export async function describeSizes({ postgres }: World, grown: { size: number; target: Target }[]): Promise<string> {
  const sizes = new Map<string, string[]>();
  for (const { target } of grown) {
    const rows = await postgres.query<{ name: string; bytes: string }>(
      target.database,
      `SELECT relname AS name, pg_relation_size(oid) AS bytes FROM pg_class
      WHERE relname LIKE ANY (ARRAY['account\\_imports%', 'accounts%']) AND relkind IN ('r', 'i') ORDER BY relkind DESC, 1`,
    );
    for (const { name, bytes } of rows)
      sizes.set(name, [...(sizes.get(name) ?? []), `${shown(Number(bytes) / 1e6)} MB`]);
  }
  const header = ['table or index', ...grown.map(({ size }) => `${size.toLocaleString('en-GB')} imports`)];
  return table(
    header,
    [...sizes].map(([name, cells]) => [name, ...cells]),
  );
}
