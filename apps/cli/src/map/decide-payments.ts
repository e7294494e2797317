import { quotedName } from '../extract/sql-names.ts';
import type { DecidedTable } from './draft.ts';
import { wordsOf } from './name-words.ts';
import { telling } from './survey-values.ts';
import { cleaned } from './verdict.ts';

const PAYMENTS = new Set(['payment', 'payments', 'receipt', 'receipts']);

/** A file of payments has no column that says so. Payments are positive: where each amount is a credit, that is its sign. */
export function decidePayments({ table, parts, open }: Omit<DecidedTable, 'keys'>): void {
  const part = parts.find(({ kind }) => kind === 'transactions');
  const isNamed = wordsOf(table.name).some((word) => PAYMENTS.has(word));
  const hasType = [...(part?.columns ?? [])].some(({ path }) => path === 'type');
  if (part === undefined || !isNamed || hasType) return;
  if (open.some(({ candidates }) => candidates.includes('transactions.type'))) return;
  part.columns.push({ path: 'type', sql: "'PAYMENT'", says: "by the file's name" });
  const at = open.findIndex(({ candidates }) => candidates.some((candidate) => candidate.includes('cr-positive')));
  const column = table.columns.find(({ name }) => name === open[at]?.column);
  if (column === undefined || part.columns.some(({ path }) => path === 'amount')) return;
  const { survey } = column;
  const credits = survey.amounts.filter(({ marks, isNegative }) => marks.includes('credit') && !isNegative).length;
  if (credits < telling(survey)) return;
  const sql = `to_money(${cleaned(`t.${quotedName(column.name)}`, survey)}, 'cr-positive')`;
  part.columns.push({
    path: 'amount',
    sql,
    column: column.name,
    says: 'by its name; payments are positive, and each is a CR',
  });
  open.splice(at, 1);
}
