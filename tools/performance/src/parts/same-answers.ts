import { createBook, penceOf } from '../load/book.ts';
import { freshPrefix, TODAY } from '../world/measure-turn.ts';
import { IMPORT_SUPPLIER, OPERATIONS_TEAM } from '../world/seed.ts';
import type { Target, World } from '../world/world.ts';
import type { Part } from './part.ts';

interface Call {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  /** Whether only a check that the lean peer does not make refuses it. */
  beyondPeer?: boolean;
}

const ofAccounts = '/v1/data-import/account-import-process';

/** Every measured call, again where that matters, and a few that are refused. */
function callsOf(number: string): Call[] {
  const booked = createBook({ importSupplier: IMPORT_SUPPLIER, today: TODAY })(0);
  const post = (path: string, body: string): Call => ({ method: 'POST', path, body });
  const ofImports = (name: string, body: string) => post(`/v1/data-import/${name}/create/`, body);
  const processOf = (team: string, dry_run = false) =>
    post(
      `${ofAccounts}/process/`,
      JSON.stringify({
        import_supplier_code: IMPORT_SUPPLIER,
        external_account_number: number,
        operations_team_name: team,
        dry_run,
      }),
    );
  const stage = post(`${ofAccounts}/create-or-update/`, booked.account(number));
  const status = (account: string): Call => ({
    method: 'GET',
    path: `/v1/data-import/account-transfer-status/${IMPORT_SUPPLIER}/${account}/`,
  });
  const imports = [
    ofImports('notes', booked.notes(number)),
    ofImports('transactions', booked.transactions(number)),
    ofImports('historical-statements', booked.statements(number)),
  ];
  const valid = booked.account(number);
  return [
    post('/v1/data-import/validate-account/', valid),
    { ...post('/v1/data-import/validate-account/', valid.replace('+44 7700', '+44 77')), beyondPeer: true },
    post('/v1/data-import/validate-account/', valid.replace('"2026-02-28"', '"2026-02-30"')),
    post('/v1/data-import/validate-account/', valid.replace(IMPORT_SUPPLIER, 'NOBODY')),
    ...[processOf(OPERATIONS_TEAM), stage, stage, status(number), status('nobody'), ...imports],
    ...[processOf(OPERATIONS_TEAM, true), processOf(OPERATIONS_TEAM), processOf(OPERATIONS_TEAM), stage],
    ...[...imports, ...imports, status(number)],
    ofImports('transactions', booked.transactions(number).replace('"type":"PAYMENT"', '"type":"GIFT"')),
    ofImports('historical-statements', booked.statements(number).replace('"number":"0-0"', '"number":"0-1"')),
  ];
}

async function answersOf(world: World, target: Target, calls: Call[]): Promise<string[]> {
  const authorization = `Token ${await world.token()}`;
  const answers: string[] = [];
  for (const { method, path, body } of calls) {
    const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const url = `${target.system.url}${path}`;
    const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
    const answer = (await response.json()) as Record<string, unknown>;
    // Of a refusal only the status and the code are compared: each system has its own sentences.
    const shown = response.ok ? answer : answer.code;
    answers.push(`${method} ${path} ${response.status} ${canonical(shown)}`);
  }
  target.ledger.add('journey', 1, penceOf(0));
  target.ledger.addEvent();
  return answers;
}

/** JSON with sorted keys, and with the one random value replaced. */
function canonical(value: unknown): string {
  const sorted = (_key: string, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part;
  return JSON.stringify(value, sorted).replaceAll(/"A-[0-9A-Z]{8}"/g, '"A-"');
}

const OF_CHANCE = ['id', 'staging_order', 'staged_at', 'updated_at', 'failed_at', 'completed_at', 'revision'];
const OF_THE_MOMENT = ['service_account_number', 'created_at', 'request_id', 'occurred_at'];
const TABLES = [
  ...['accounts', 'customers', 'supply_addresses', 'meter_points', 'payment_schedules'],
  ...['notes', 'transactions', 'statements'],
];

async function rowsOf({ postgres }: World, target: Target, number: string): Promise<string[]> {
  const volatile = `ARRAY['${[...OF_CHANCE, ...OF_THE_MOMENT].join("', '")}']`;
  const rows: string[] = [];
  const read = async (table: string, condition: string) => {
    const text = `SELECT to_jsonb(record) - ${volatile} AS shown FROM ${table} record WHERE ${condition}`;
    for (const { shown } of await postgres.query<{ shown: unknown }>(target.database, text, [number])) {
      rows.push(`${table} ${canonical(shown)}`);
    }
  };
  const id = '(SELECT id FROM account_imports WHERE external_account_number = $1)';
  await read('account_imports', 'external_account_number = $1');
  // The service remembers refusals, which the reference does not.
  await read('audit_events', `subject_id = ${id} AND action NOT LIKE '%refused'`);
  for (const table of TABLES) await read(table, `account_import_id = ${id}`);
  // "id" was taken away above: of an account import it is derived, so it has to be the same too.
  const ids = await postgres.query<{ id: string }>(target.database, `SELECT ${id} AS id`, [number]);
  return [...rows, `id ${ids[0]?.id}`].sort();
}

function refuseDifferences(what: string, service: string[], [name, other]: [string, string[]]): void {
  const differences = service.flatMap((line, index) =>
    line === other[index] ? [] : [`service: ${line}\n  ${name}: ${other[index]}`],
  );
  if (differences.length === 0 && service.length === other.length) return;
  throw new Error(`The ${what} of service and ${name} differ:\n  ${differences.slice(0, 3).join('\n  ')}`);
}

/**
 * Before any measurement: the reference must give the answers and write the rows of the service, and the peer, which has
 * tables of its own, the answers; or the run ends.
 */
export const sameAnswers: Part = {
  name: 'answers',
  heading: 'Answers and rows of service, reference and peer',
  always: true,
  async measure(world) {
    const number = `${freshPrefix()}same`;
    const { service, reference, peer } = world;
    const calls = callsOf(number);
    const answers = await answersOf(world, service, calls);
    refuseDifferences('answers', answers, ['reference', await answersOf(world, reference, calls)]);
    const ofPeer = calls.filter(({ beyondPeer }) => !beyondPeer);
    const alike = answers.filter((_, index) => !calls[index]?.beyondPeer);
    refuseDifferences('answers', alike, ['peer', await answersOf(world, peer, ofPeer)]);
    const rows = await rowsOf(world, service, number);
    refuseDifferences('rows', rows, ['reference', await rowsOf(world, reference, number)]);
    for (const { ledger } of [service, reference, peer]) await ledger.verify();
    const details = [
      `${answers.length} answers and ${rows.length} rows are the same, ${ofPeer.length} answers of the peer too.`,
    ];
    return { findings: [], details };
  },
};
