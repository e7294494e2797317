import { quotedName } from '../extract/sql-names.ts';
import { NameBook, wordsOf } from './name-words.ts';
import { cleaned } from './read-values.ts';
import { type TableFacts, telling } from './survey-values.ts';
import type { DraftPart, OpenColumn } from './write-mapping.ts';

/** A file of which some columns are decided, each by itself. */
interface Undecided {
  table: TableFacts;
  parts: readonly DraftPart[];
  open: OpenColumn[];
}

/** Decides what several columns, or the name of the file, say together. */
export function decideTogether(undecided: Undecided): void {
  joinHouseNumbers(undecided);
  decidePayments(undecided);
}

const PAYMENTS = new Set(['payment', 'payments', 'receipt', 'receipts', 'zahlungen']);

/** A file of payments has no column that says so. Payments are positive: where each amount is a credit, that is its sign. */
function decidePayments({ table, parts, open }: Undecided): void {
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

const HOUSE_NUMBERS = new NameBook<true>();
for (const name of ['house number', 'hnr', 'house num 1', 'street number']) HOUSE_NUMBERS.add(name, true);

/** A street and the number of its house in two columns are one line of an address. */
function joinHouseNumbers({ table: { columns }, parts, open }: Undecided): void {
  const numbers = columns.filter(({ name }) => HOUSE_NUMBERS.meaningsOf(name).length > 0);
  const streets = parts.flatMap((part) => part.columns.filter(({ path }) => path.endsWith('_address1')));
  const [number] = numbers;
  const [street] = streets;
  if (number === undefined || street === undefined || numbers.length > 1 || streets.length > 1) return;
  street.sql = `trim(concat_ws(' ', ${street.sql}, ${cleaned(`t.${quotedName(number.name)}`, number.survey)}))`;
  street.also = number.name;
  street.says += `; with the number of the house, ${number.name}`;
  open.splice(0, open.length, ...open.filter(({ column }) => column !== number.name));
}
