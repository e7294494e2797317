import { REMARKS, type Readiness, type ReadinessCondition, type ReadinessRequest } from '@causeway/contracts';
import type { Queryable, RowOf } from '@causeway/db';
import type { Context } from '../shared/context.ts';
import { utcDatetime } from '../shared/dates.ts';
import { derivedId } from '../shared/derived-id.ts';
import { unknownImportSupplier } from '../shared/find-import-supplier.ts';
import {
  COUNT_SINCE_RECONCILIATION,
  COUNT_SINCE_REHEARSAL,
  COUNT_WORK_LEFT,
  IS_COMPARED_AGAIN,
  IS_IMPORT_SUPPLIER,
} from './read-readiness.sql.ts';

/**
 * Whether an import supplier's migration can be called complete (behaviour 24.2): each condition with a sentence and a
 * count. It reads what is there now and changes nothing. An unknown code is `import_supplier_does_not_exist`.
 */
export async function readReadiness({ database }: Context, { code }: ReadinessRequest): Promise<Readiness> {
  const [known] = await database.query(IS_IMPORT_SUPPLIER, { code });
  if (known === undefined) throw unknownImportSupplier();
  const conditions = await readConditions(database, code);
  return { code, ready: conditions.every(({ ok }) => ok), conditions };
}

/** The conditions of readiness, one statement after the other: within a transaction that holds the supplier's lock too. */
export async function readConditions(database: Queryable, code: string): Promise<ReadinessCondition[]> {
  const import_supplier_id = derivedId('import_supplier', code);
  const [rehearsal] = await database.query(COUNT_SINCE_REHEARSAL, { code, import_supplier_id });
  // Before the remarks are counted: one that is written meanwhile is counted, or was still to be compared.
  const [changes] = await database.query(IS_COMPARED_AGAIN, { code });
  const [work] = await database.query(COUNT_WORK_LEFT, { code, blocking_codes: BLOCKING_CODES });
  const [reconciliation] = await database.query(COUNT_SINCE_RECONCILIATION, { code });
  if (work === undefined || changes === undefined) throw new Error('The statement has one row, always.');
  const is_compared = work.is_compared && changes.is_compared_again;
  return [rehearsed(rehearsal), ...conditionsOf({ ...work, is_compared }), reconciled(reconciliation)];
}

const BLOCKING_CODES = Object.entries(REMARKS).flatMap(([code, { keepsFromReady }]) => (keepsFromReady ? code : []));

function rehearsed(rehearsal: RowOf<typeof COUNT_SINCE_REHEARSAL> | undefined): ReadinessCondition {
  const name = 'rehearsed';
  if (rehearsal === undefined) return { name, ok: false, sentence: 'No bulk job was rehearsed.', count: 0 };
  const { lines, finished_at, accounts_changed, settings_changed } = rehearsal;
  const count = accounts_changed + settings_changed;
  const was = `The last rehearsal ended at ${utcDatetime(finished_at)}, of ${counted(lines, 'line')}`;
  if (count === 0) return { name, ok: true, sentence: `${was}; nothing has changed since.`, count };
  const changes = [
    ...(accounts_changed > 0 ? [`${counted(accounts_changed, 'account')} staged or attempted`] : []),
    ...(settings_changed > 0 ? [`${counted(settings_changed, 'change')} of the import supplier`] : []),
  ];
  return { name, ok: false, sentence: `${was}; since it began: ${changes.join(', ')}.`, count };
}

function conditionsOf(work: RowOf<typeof COUNT_WORK_LEFT>): ReadinessCondition[] {
  const { unfinished_jobs, accounts_in_progress, failed_accounts, open_problems } = work;
  return [
    none('no_unfinished_job', unfinished_jobs, {
      fine: 'No bulk job is running or paused.',
      wrong: `${counted(unfinished_jobs, 'bulk job')} running or paused.`,
    }),
    none('no_account_in_progress', accounts_in_progress, {
      fine: 'No account is in progress.',
      wrong: `${counted(accounts_in_progress, 'account')} in progress.`,
    }),
    none('no_failed_account', failed_accounts, {
      fine: 'No account has failed without a decision.',
      wrong: `${counted(failed_accounts, 'failed account')} without a decision: correct and process, or skip.`,
    }),
    none('no_open_problem', open_problems, {
      fine: 'No refusal is open.',
      wrong: `${counted(open_problems, 'kind')} of problem open: correct what was refused, or skip accounts that are not created.`,
    }),
    undecided(work),
  ];
}

function undecided({ undecided_remarks: count, is_compared }: RowOf<typeof COUNT_WORK_LEFT>): ReadinessCondition {
  const name = 'no_undecided_remark';
  if (count === 0 && !is_compared) {
    return { name, ok: false, sentence: 'The meter points of the last accounts are still being compared.', count };
  }
  return none(name, count, {
    fine: 'No doubtful data is left to decide about.',
    wrong: `${counted(count, 'kind')} of doubtful data: correct it, or accept it with a reason.`,
  });
}

function none(
  name: ReadinessCondition['name'],
  count: number,
  { fine, wrong }: { fine: string; wrong: string },
): ReadinessCondition {
  return { name, ok: count === 0, sentence: count === 0 ? fine : wrong, count };
}

function reconciled(last: RowOf<typeof COUNT_SINCE_RECONCILIATION> | undefined): ReadinessCondition {
  const name = 'reconciled';
  if (last === undefined) {
    return { name, ok: false, sentence: 'Nothing was reconciled with a manifest that is in force.', count: 0 };
  }
  const { verdict, finished_at, differing_accounts, signed_off_person: person, created_since, undone_since } = last;
  const was = `Reconciled at ${utcDatetime(finished_at)}: ${outcomeOf(last)}`;
  if (undone_since > 0) {
    const sentence = `${was}. ${counted(undone_since, 'account')} undone since: reconcile again.`;
    return { name, ok: false, sentence, count: undone_since };
  }
  if (created_since > 0) {
    const sentence = `${was}. ${counted(created_since, 'account')} created since: reconcile again.`;
    return { name, ok: false, sentence, count: created_since };
  }
  if (verdict === 'EQUAL') return { name, ok: true, sentence: `${was}.`, count: 0 };
  return person === null
    ? { name, ok: false, sentence: `${was}, not signed off.`, count: differing_accounts }
    : { name, ok: true, sentence: `${was}, signed off by ${person}.`, count: differing_accounts };
}

function outcomeOf({ verdict, differing_accounts }: RowOf<typeof COUNT_SINCE_RECONCILIATION>): string {
  if (verdict === 'EQUAL') return 'equal';
  if (verdict === 'DIFFERENT') return `different in ${counted(differing_accounts, 'account')}`;
  return 'no verdict, since accounts kept changing';
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
