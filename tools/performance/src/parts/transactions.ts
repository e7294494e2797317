import { type Comparison, compare, type Effort, warmUp } from '../compare.ts';
import { type Finding, judge } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { fillAccounts } from '../world/fill.ts';
import { freshPrefix, TODAY } from '../world/measure-turn.ts';
import type { Target, World } from '../world/world.ts';
import { type ComparedPart, measureCompared } from './compared-work.ts';
import type { Part } from './part.ts';

const TRANSACTIONS_A_REQUEST = 1_000;
const CONNECTIONS = 4;
/** More accounts than a turn can use up. */
const ACCOUNTS_A_SECOND = 250;

/** Accounts without transactions, made by SQL, for one turn. */
async function fillForTurn(world: World, target: Target, turn: { prefix: string; effort: Effort }): Promise<number> {
  const { warmUpMs, measureMs } = turn.effort;
  const to = Math.ceil(((warmUpMs + measureMs) / 1_000) * ACCOUNTS_A_SECOND);
  await fillAccounts(world, target, { prefix: turn.prefix, from: 0, to, completedEvery: 1 });
  return to;
}

/** Transactions per second of a plain INSERT ... SELECT unnest, with one request's rows in each. */
async function insertTurn(world: World, target: Target, effort: Effort): Promise<number> {
  const prefix = freshPrefix();
  await fillForTurn(world, target, { prefix, effort });
  const ids = await world.postgres.query<{ id: string }>(
    target.database,
    'SELECT id FROM account_imports WHERE starts_with(external_account_number, $1)',
    [prefix],
  );
  const { completed, pence, perSecond } = await world.generator.run('insert', {
    databaseUrl: target.databaseUrl,
    accountImportIds: ids.map(({ id }) => id),
    transactionsPerAccount: TRANSACTIONS_A_REQUEST,
    today: TODAY,
    connections: CONNECTIONS,
    warmUpMs: effort.warmUpMs,
    measureMs: effort.measureMs,
  });
  target.ledger.addRows({ transactions: completed * TRANSACTIONS_A_REQUEST, pence });
  return perSecond * TRANSACTIONS_A_REQUEST;
}

/** Service, reference and PostgreSQL by itself in turns. */
export const transactions: Part = {
  name: 'transactions',
  heading: 'Transactions, 1,000 a request, 4 connections',
  async measure(world, options) {
    const { effort } = options;
    const postgres = await world.startTarget('postgres', { instances: 0 });
    const work: ComparedPart = {
      name: 'transactions',
      heading: transactions.heading,
      scenario: 'transactions',
      against: 'reference',
      connections: CONNECTIONS,
      transactionsPerAccount: TRANSACTIONS_A_REQUEST,
      unit: 'transactions',
      unitsPerIteration: TRANSACTIONS_A_REQUEST,
      mustReach: 1.2,
      prepare: (target, prefix) => fillForTurn(world, target, { prefix, effort }),
    };
    await warmUp(world, [world.service, world.reference], { ...work, ...effort });
    const comparison: Comparison = { service: [], other: [], ratios: [] };
    const ratios: number[] = [];
    const inserted: number[] = [];
    for (let round = 0; round < effort.rounds; round += 1) {
      const { service, other, ratios: pair } = await compare(world, work, { ...effort, rounds: 1 });
      comparison.service.push(...service);
      comparison.other.push(...other);
      comparison.ratios.push(...pair);
      const rate = await insertTurn(world, postgres, effort);
      inserted.push(rate);
      ratios.push(((service[0]?.perSecond ?? 0) * TRANSACTIONS_A_REQUEST) / rate);
    }
    await postgres.ledger.verify();
    const compared = await measureCompared(world, work, { ...options, comparison });
    const finding = ofPostgres(ratios, inserted);
    const rate = `PostgreSQL's own \`INSERT ... SELECT unnest\`: ${shownSpread(inserted)} transactions a second.`;
    return { findings: [...compared.findings, finding], details: [...compared.details, rate] };
  },
};

function ofPostgres(ratios: number[], inserted: number[]): Finding {
  const goal = { value: medianOf(ratios), direction: 'at least', mustReach: 0.5, aim: 0.8 } as const;
  const reached = `${shownSpread(ratios)}: of ${shown(medianOf(inserted))} transactions/s`;
  return judge("Transactions, of PostgreSQL's own INSERT ... SELECT unnest", goal, reached);
}
