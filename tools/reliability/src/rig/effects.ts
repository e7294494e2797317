import { none } from '../scenario.ts';
import { ADDED, type OperationName } from './operations.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';

/** What the database holds of one account. */
export interface Effects extends Record<OperationName, number> {
  account: string;
  service_account_number: string | null;
  state: string;
  /** The last staged payload, and the one that process used. */
  staged_name: string | null;
  billing_name: string | null;
  /** Of the transactions, with two decimals. */
  sum: string | null;
  customers: number;
  /** Audit events by action. */
  audit: Record<string, number>;
}

/** The effects on every account of a supplier, counted in the database itself. */
export function readEffects(world: Pick<ServiceWorld, 'query'>, supplier: Supplier): Promise<Effects[]> {
  return world.query<Effects>(
    `SELECT import.external_account_number AS account, account.service_account_number, import.state,
      import.payload->>'billing_name' AS staged_name, account.billing_name,
      1 AS stage, count(account.account_import_id)::int AS process,
      ${count('notes')} AS notes, ${count('transactions')} AS transactions, ${count('statements')} AS statements,
      ${count('payment_instructions')} AS instruction, ${count('customers')} AS customers,
      (SELECT sum(amount)::text FROM transactions one WHERE one.account_import_id = import.id) AS sum,
      (SELECT coalesce(json_object_agg(action, times), '{}') FROM (
        SELECT action, count(*)::int AS times FROM audit_events WHERE subject_id = import.id GROUP BY action
      ) AS actions) AS audit
    FROM account_imports import LEFT JOIN accounts account ON account.account_import_id = import.id
    WHERE import.import_supplier_code = $1
    GROUP BY import.id, account.service_account_number, account.billing_name
    ORDER BY import.staging_order`,
    [supplier.code],
  );
}

const count = (table: string): string =>
  `(SELECT count(*)::int FROM ${table} one WHERE one.account_import_id = import.id)`;

const AUDIT_ACTIONS: Partial<Record<OperationName, string>> = {
  process: 'processed',
  notes: 'notes_imported',
  transactions: 'transactions_imported',
  statements: 'statements_imported',
  instruction: 'payment_instruction_imported',
};

/**
 * How often an operation of `operationOn` took effect: undefined if it did so partially, or not as its audit events
 * say.
 */
export function timesCounted(effects: Effects | undefined, name: OperationName): number | undefined {
  if (effects === undefined) return 0;
  const { [name]: rows, audit, sum } = effects;
  const perTime = name === 'stage' || name === 'process' ? 1 : ADDED[name];
  const action = AUDIT_ACTIONS[name];
  const times = rows / perTime;
  const isSound =
    Number.isInteger(times) &&
    (action === undefined || (audit[action] ?? 0) === times) &&
    (name !== 'transactions' || Number(sum ?? 0).toFixed(2) === (times * Number(ADDED.sum)).toFixed(2)) &&
    (name !== 'process' || effects.customers === times);
  return isSound ? times : undefined;
}

/** Compares what has to have taken effect once with the database; `stored` is how many accounts it has. */
export async function judgeTimes(
  world: Pick<ServiceWorld, 'query'>,
  supplier: Supplier,
  done: readonly { account: string; name: OperationName }[],
) {
  const effects = new Map((await readEffects(world, supplier)).map((each) => [each.account, each]));
  const times = done.map((one) => ({ ...one, counted: timesCounted(effects.get(one.account), one.name) }));
  const lost = times.filter(({ counted }) => counted === 0);
  const doubled = times.filter(({ counted }) => counted !== 0 && counted !== 1);
  return {
    ...{ effects, lost: lost.length, doubled: doubled.length, stored: effects.size },
    claims: none({
      'operations that are not in the database': lost,
      'operations that took effect twice or in part': doubled,
    }),
  };
}
