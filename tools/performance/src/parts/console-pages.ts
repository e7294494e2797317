import { type CausewayClient, createClient } from '@causeway/client';
import { progress } from '../progress.ts';
import { judge, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { fillConsole, PREFIX } from '../world/fill-console.ts';
import { IMPORT_SUPPLIER } from '../world/seed.ts';
import type { Part } from './part.ts';

const CALLS_A_ROUND = 8;
const HEADING = 'Pages of the console';

const code = IMPORT_SUPPLIER;
const of = { import_supplier: code };
const one = { code, external_account_number: `${PREFIX}1000` };
const PROBLEM = {
  operation: 'stage' as const,
  refused: true,
  code: 'invalid_phone_number' as const,
  attr: 'customers.*.field_1',
};

type Page = (client: CausewayClient) => Promise<unknown>;

/** What each page asks for when it is opened: its calls run together. */
const PAGES: Record<string, Page> = {
  overview: ({ overview }) => overview.migrations.query(),
  migration: ({ overview, dataImport }) =>
    Promise.all([
      overview.readiness.query({ code }),
      overview.progress.query({ code, ...lastDay() }),
      dataImport.listProblems.query({ import_supplier_code: code, limit: 100 }),
      dataImport.listBulkJobs.query(of),
      dataImport.listReconciliations.query(of),
    ]),
  'accounts, oldest first': ({ accountImports }) => accountImports.list.query({ code, limit: 100 }),
  'accounts, by the beginning of a number': ({ accountImports }) =>
    accountImports.list.query({ code, search: `${PREFIX}77`, limit: 100 }),
  'accounts, of a state that none has': ({ accountImports }) =>
    accountImports.list.query({ code, state: 'FAILED', search: PREFIX, limit: 100 }),
  'find, by a number': ({ accountImports }) => accountImports.find.query({ text: `${PREFIX}99` }),
  'find, by a frequent name': ({ accountImports }) => accountImports.find.query({ text: 'smith' }),
  'find, by a full name': ({ accountImports }) => accountImports.find.query({ text: 'priya fam' }),
  'find, by an e-mail address': ({ accountImports }) => accountImports.find.query({ text: 'person4711@' }),
  'find, what there is not': ({ accountImports }) => accountImports.find.query({ text: 'Nobody At All' }),
  account: ({ accountImports, accounts }) =>
    Promise.all([
      accountImports.get.query({ ...one, masked: true }),
      accounts.getMasked.query(one),
      accounts.timeline.query(one),
    ]),
  problem: ({ dataImport, accountImports }) =>
    Promise.all([
      dataImport.listProblems.query({ import_supplier_code: code, limit: 100 }),
      accountImports.listByProblem.query({ code, problem: PROBLEM, limit: 100 }),
    ]),
  'skip, the count before it': ({ accountImports }) =>
    accountImports.countForSkip.query({ code, filter: { problem: PROBLEM } }),
  administration: ({ organisations, apiKeys, importSuppliers, operationsTeams }) =>
    Promise.all([
      organisations.list.query({ limit: 100 }),
      apiKeys.list.query({ limit: 100 }),
      importSuppliers.list.query({ limit: 100 }),
      operationsTeams.list.query({ limit: 100 }),
    ]),
  audit: ({ audit }) => audit.listOfStaff.query({ limit: 100 }),
};

function lastDay() {
  const datetime = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
  return { from: datetime(Date.now() - 86_400_000), to: datetime(Date.now() + 1_000) };
}

/** What each page of the console waits for, while nobody else calls. */
export const consolePages: Part = {
  name: 'console',
  heading: HEADING,
  async measure(world, { effort, listImports }) {
    const target = await world.startTarget('console');
    await fillConsole(world, target, listImports);
    const client = createClient({ url: target.instances[0]?.url ?? '', apiKey: world.seed.staffApiKey });
    const times: Record<string, number[]> = {};
    for (const [name, page] of Object.entries(PAGES)) {
      times[name] = await timesOf(() => page(client), effort.rounds * CALLS_A_ROUND);
      progress(`${name}: ${shownSpread(times[name])} ms`);
    }
    const size = `${listImports.toLocaleString('en-GB')} imports`;
    const findings = Object.entries(times).map(([name, all]) => {
      const goal = { value: medianOf(all), direction: 'at most', mustReach: 50, unit: ' ms' } as const;
      return judge(`${HEADING}, ${size}: ${name}`, goal, `${shownSpread(all)} ms`);
    });
    const rows = Object.entries(times).map(([name, all]) => [name, shown(medianOf(all)), shown(Math.max(...all))]);
    return { findings, details: [INTRODUCTION, table(['page', 'median, ms', 'longest, ms'], rows)] };
  },
};

const INTRODUCTION =
  'All calls of a page at once, over tRPC, until the last answer has arrived; nobody else calls. Half of the accounts are ' +
  'created, with one customer each; every tenth has an open problem, of 40 kinds.';

async function timesOf(call: () => Promise<unknown>, calls: number): Promise<number[]> {
  await call();
  const times: number[] = [];
  while (times.length < calls) {
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  }
  return times;
}
