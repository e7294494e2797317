import { isDeepStrictEqual } from 'node:util';
import type { ServiceWorld, Supplier } from '../rig/service-world.ts';
import type { Call, ModelSupplier, Open, Prediction } from './account.ts';
import type { History } from './content.ts';

const BEFORE_CREATION = ['validate', 'stage', 'process', 'dry_run'];
/** What a success resolves beside its own operation. */
const ALSO_RESOLVED: Record<string, readonly string[]> = { stage: ['validate'], process: ['validate', 'dry_run'] };
/** A success that writes nothing is resolved within this time if another instance refused the call before. */
const PATIENCE_MS = 5_000;

/** What the service remembers of a call that was refused, or resolves if it succeeds (behaviour 4.15). */
export function rememberOutcome(supplier: ModelSupplier, call: Call, prediction: Prediction): void {
  const { answer, reports, shows } = prediction;
  const refused = openOf(supplier.refused, call.account);
  const reported = openOf(supplier.reported, call.account);
  if (call.kind === 'skip' && answer === '200') {
    refused.clear();
    reported.clear();
  }
  const operation = operationOf(call);
  if (operation === undefined) return;
  if (answer.startsWith('20') || answer.endsWith('dry_run_rolled_back')) {
    const carried = operation === 'process' ? carriedBy(supplier.accounts.get(call.account)?.payload.history) : [];
    for (const resolved of [operation, ...(ALSO_RESOLVED[operation] ?? []), ...carried]) {
      refused.delete(resolved);
      reported.delete(resolved);
    }
    if (reports !== undefined) reported.set(operation, reports);
    return;
  }
  const state = supplier.accounts.get(call.account)?.state;
  const isSettled = state === 'SKIPPED' || (state === 'COMPLETED' && BEFORE_CREATION.includes(operation));
  if (isSettled) return;
  const code = answer.slice('400 '.length);
  const times = (refused.get(operation)?.times ?? 0) + 1;
  refused.set(operation, {
    ...{ code, times },
    ...(operation === 'payment_instruction' && { detail: { CARD: 'refused' } }),
    ...(code.endsWith('failed_validation') && { faults: shows as string[] }),
  });
}

/** The imports that are done with the creation of an account: a list that is empty carries nothing. */
function carriedBy(history: History | null | undefined): string[] {
  if (!history) return [];
  const { notes, transactions, closed, statements, reference } = history;
  const hasTransactions = transactions.length > 0 || closed.length > 0;
  return [
    ...(notes.length > 0 ? ['notes'] : []),
    ...(hasTransactions ? ['transactions'] : []),
    ...(statements.length > 0 ? ['statements'] : []),
    ...(reference === null ? [] : ['payment_instruction']),
  ];
}

function openOf(all: Map<string, Open>, account: string): Open {
  const open: Open = all.get(account) ?? new Map();
  all.set(account, open);
  return open;
}

function operationOf(call: Call): string | undefined {
  if ('dryRun' in call && call.dryRun) return 'dry_run';
  switch (call.kind) {
    case 'instruction':
      return 'payment_instruction';
    case 'validate':
    case 'stage':
    case 'process':
    case 'notes':
    case 'transactions':
    case 'statements':
      return call.kind;
    default:
      return undefined;
  }
}

/** Throws if what is open of a supplier is not what the model has, or its problems do not add up to it. */
export async function compareRefusals(
  world: Pick<ServiceWorld, 'query'>,
  { code }: Supplier,
  { refused, reported }: ModelSupplier,
): Promise<void> {
  const namesOf = (all: Map<string, Open>, isReport: boolean) =>
    [...all].flatMap(([account, open]) =>
      [...open].map(([operation, one]) => `${account} ${operation} ${one.code}${isReport ? ', reported' : ''}`),
    );
  const expected = [...namesOf(refused, false), ...namesOf(reported, true)].sort();
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const stored = await openRefusals(world, code);
    if (isDeepStrictEqual(stored, expected)) break;
    if (Date.now() < until) continue;
    throw new Error(`What is open is ${JSON.stringify(stored)}, expected ${JSON.stringify(expected)}`);
  }
  const [sums] = await world.query<{ listed: number; open: number; counted: number; incomplete: number }>(
    `SELECT
      (SELECT coalesce(sum(accounts), 0)::int FROM import_problems WHERE import_supplier_code = $1)
        + (SELECT coalesce(sum(change), 0)::int FROM import_problem_changes WHERE import_supplier_code = $1) AS listed,
      (SELECT count(*)::int FROM account_import_refusals, unnest(problems)
        WHERE import_supplier_code = $1 AND resolved_at IS NULL) AS open,
      (SELECT coalesce(sum(accounts), 0)::int FROM incomplete_account_counts WHERE import_supplier_code = $1) AS counted,
      (SELECT count(DISTINCT account_import_id)::int FROM account_import_refusals
        WHERE import_supplier_code = $1 AND resolved_at IS NULL AND is_created AND reported = '') AS incomplete`,
    [code],
  );
  if (sums?.listed !== sums?.open || sums?.counted !== sums?.incomplete)
    throw new Error(`The problems do not add up: ${JSON.stringify(sums)}`);
}

async function openRefusals(world: Pick<ServiceWorld, 'query'>, supplier: string): Promise<string[]> {
  const rows = await world.query<{ name: string }>(
    `SELECT external_account_number || ' ' || operation || ' ' || code || CASE reported WHEN '' THEN '' ELSE ', reported' END AS name
    FROM account_import_refusals WHERE import_supplier_code = $1 AND resolved_at IS NULL`,
    [supplier],
  );
  return rows.map(({ name }) => name).sort();
}
