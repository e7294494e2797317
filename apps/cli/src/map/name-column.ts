import { EACH, pathOfHeader } from '../convert/header-path.ts';
import { type KindName, viewOf } from '../convert/kind-names.ts';
import { KINDS, type Kind, keyColumns } from '../convert/kinds.ts';
import { quotedName } from '../extract/sql-names.ts';
import { type Field, fieldsNamed, type Key, keyNamed } from './fields.ts';
import { NameBook, wordsOf } from './name-words.ts';
import { cleaned } from './read-values.ts';
import { type TableFacts, telling } from './survey-values.ts';
import type { DraftPart, OpenColumn } from './write-mapping.ts';

/** What the name of a column may mean. */
export interface Meaning {
  /** By their exact path, or in the words of the trade. */
  fields: readonly Field[];
  /** Fields whose name says too little alone. */
  weak: readonly Field[];
  key: Key | undefined;
}

/** The meanings of all headers of a file. A word with which most of them begin means nothing. */
export function meaningsOf(headers: readonly string[]): ReadonlyMap<string, Meaning> {
  const first = headers.map((header) => wordsOf(header)[0] ?? '');
  const common = first.find((word) => first.filter((other) => other === word).length * 2 > Math.max(headers.length, 4));
  return new Map(headers.map((header) => [header, meaningOf(header, common)]));
}

function meaningOf(header: string, common: string | undefined): Meaning {
  const words = wordsOf(header);
  const short = words.length > 1 && words[0] === common ? words.slice(1).join(' ') : '';
  const exact = KINDS.filter((kind) => kind.twin === undefined && isFieldOrKey(header, kind)).map(({ name }) => ({
    kind: name,
    path: header,
  }));
  const named = [...fieldsNamed(header)];
  if (named.length === 0 && short !== '') named.push(...fieldsNamed(short));
  const fields = [...exact, ...named.filter(({ isWeak }) => !isWeak).map(({ field }) => field)];
  const known = new Set<string>();
  return {
    fields: fields.filter(({ kind, path }) => !known.has(`${kind} ${path}`) && known.add(`${kind} ${path}`)),
    weak: named.filter(({ isWeak }) => isWeak).map(({ field }) => field),
    key: keyNamed(header) ?? (short === '' ? undefined : keyNamed(short)),
  };
}

/** The kind whose fields and keys all headers are, so that nothing has to be judged. */
export function kindOfPaths(headers: readonly string[], table: string): KindName | undefined {
  const kinds = KINDS.filter((kind) => headers.every((header) => isFieldOrKey(header, kind)));
  const named = kinds.find(({ name }) => table.replace(/_\d+$/, '') === viewOf(name));
  const [only, another] = kinds.filter(({ twin }) => twin === undefined);
  return (named ?? (another === undefined ? only : undefined))?.name;
}

/** Whether a header is the very name of a field or key, as `convert` takes it without a mapping. */
function isFieldOrKey(header: string, kind: Kind): boolean {
  if (keyColumns(kind).includes(header)) return true;
  return (
    pathOfHeader(header, kind.schema)
      ?.filter((step) => step !== EACH)
      .join('.') === header
  );
}

/** The fields by which rows of a kind are known: at least one of each line. Only its name tells a twin from its like. */
const MARKS: Readonly<Record<KindName, readonly string[]>> = {
  accounts: ['billing_name billing_address1 billing_email account_type transfer_balance business.name date_of_sale'],
  customers: ['family_name given_name date_of_birth'],
  'supply-points': [
    'meter_points.identifier',
    'supply_address1 supply_postcode customer_at_supply_address_from_date meter_points.supply_type meter_points.supply_start_date meter_points.meters.installed_on meter_points.mpid',
  ],
  registers: ['register_id', 'number_of_digits'],
  readings: ['reading_value', 'reading_date'],
  'reading-history': [''],
  agreements: ['meter_point_identifier', 'tariff_code', 'effective_from'],
  notes: ['body', 'created_at external_id'],
  transactions: ['amount', 'transaction_date', 'transaction_id reference type'],
  'historical-transactions': [''],
  'line-items': ['transaction_id', 'net_amount', 'start_date number_of_units price_per_unit'],
  'tax-items': ['transaction_id', 'amount', 'rate tax_type value_taxed'],
  statements: ['statement_id', 'bill_period_from_date issued_date statement_path'],
  'payment-instructions': ['vendor', 'reference'],
};

/** The kinds that a file holds, by the fields that its columns can be. */
export function findKinds(fields: ReadonlyMap<KindName, ReadonlySet<string>>): KindName[] {
  const holds = (kind: KindName) =>
    MARKS[kind].every((marks) => marks.split(' ').some((path) => fields.get(kind)?.has(path) === true));
  return [...fields.keys()].filter(holds);
}

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
  decideHistory(undecided);
}

/** The name of a file tells closed history from the open one: their columns are the same. */
function decideHistory({ table, parts }: Undecided): void {
  if (!wordsOf(table.name).includes('history')) return;
  for (const part of parts) part.kind = KINDS.find(({ twin }) => twin === part.kind)?.name ?? part.kind;
}

const PAYMENTS = new Set(['payment', 'payments', 'receipt', 'receipts']);

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
