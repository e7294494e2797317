import { type KindName, viewOf } from '../convert/kind-names.ts';
import { ACCOUNT_NUMBER, kindNamed } from '../convert/kinds.ts';
import { cellsOf, choicesOf } from './cells-of-field.ts';
import { wordsOfCut } from './cut-texts.ts';
import { type Field, NAMED_FIELDS } from './fields.ts';
import type { Meaning } from './name-column.ts';
import { wordsOfNested } from './nested-values.ts';
import { readAmounts, readDays, type Verdict } from './read-values.ts';
import { areClearly, type ColumnFacts, telling } from './survey-values.ts';
import type { OpenColumn } from './write-mapping.ts';

/** What the values of a column are, where its name says nothing. */
export interface Guess {
  says: string;
  /** Expressions and fields between which only the owner can decide. */
  candidates: readonly string[];
}

const POSTCODES: readonly Field[] = [
  { kind: 'supply-points', path: 'supply_postcode' },
  { kind: 'accounts', path: 'billing_postcode' },
];
/** A shorter word may mean something else elsewhere. */
const SHORTEST_CHOICE = 3;

/** A field that a column can be, and how it is read. */
export interface Claim {
  column: ColumnFacts;
  field: Field;
  verdict: Verdict;
  /** Why it can be this field. */
  says: string;
}

/** The fields that values alone say: nothing else looks like them. */
export function fieldsByValues(column: ColumnFacts): readonly Field[] {
  const { survey, values } = column;
  if (areClearly(survey.emails, column)) return [{ kind: 'customers', path: 'email' }];
  if (areClearly(survey.mobiles, column) && survey.mobiles === telling(survey))
    return [{ kind: 'customers', path: 'mobile' }];
  if (areClearly(survey.clearPostcodes, column)) return POSTCODES;
  if (areClearly(survey.documents, column)) return [{ kind: 'statements', path: 'statement_path' }];
  const words = new Set(values);
  return CHOICES.filter(({ choices }) =>
    [...words].every((word) => word.length >= SHORTEST_CHOICE && choices.has(word)),
  );
}

/** The fields that take a few words alone. */
const CHOICES = NAMED_FIELDS.flatMap((field) => {
  const choices = new Set(choicesOf(cellsOf(field.path, kindNamed(field.kind)).schemas, field.path));
  return choices.size === 0 ? [] : [{ ...field, choices }];
});

const DATES = /date|_on$|_from$|_to$|_at$/;
const MONEY = /amount|balance|price/;
const MOST_FIELDS = 4;

/** What the values are, how they would be read, and which fields of the file's kinds are free for them. */
export function guessColumn(column: ColumnFacts, free: readonly Field[]): Guess | undefined {
  const { survey } = column;
  const isMost = (count: number) => count * 2 > telling(survey);
  const fields = (form: RegExp) => {
    const found = free.filter(({ path }) => form.test(path)).map(nameOf);
    return found.slice(0, MOST_FIELDS);
  };
  if (telling(survey) === 0) return undefined;
  if (isMost(survey.dates.length)) return readAs(readDays(survey, ''), fields(DATES));
  const fractions = survey.amounts.filter(({ sign, marks }) => sign !== 'none' || marks.length > 0);
  if (isMost(fractions.length - survey.pointZeros)) return readAs(readAmounts(column, 'amount'), fields(MONEY));
  const guesses: readonly [number, string, readonly string[]][] = [
    [survey.emails, 'e-mail addresses', fields(/email/)],
    [survey.meterPoints, 'meter points with a right check digit', ['supply_points.meter_points.identifier']],
    [survey.ibans, 'numbers of bank accounts: they belong to your payment vendor and are not to come', []],
    [survey.documents, 'paths of documents', ['statements.statement_path']],
    [survey.clearPostcodes, 'postcodes', fields(/postcode/)],
    [survey.values - survey.wholeNumbers === 0 ? 0 : survey.phones, 'phone numbers', fields(/landline|mobile/)],
  ];
  const found = guesses.find(([count]) => isMost(count));
  return found === undefined ? undefined : { says: `its values are ${found[1]}`, candidates: found[2] };
}

function readAs(verdict: Verdict, fields: readonly string[]): Guess {
  const readings = verdict.isOpen ? verdict.candidates : [verdict.sql('…')];
  return { says: `its name says nothing; ${verdict.says}`, candidates: [...readings, ...fields] };
}

/** Why a column is not decided, and what it may be. */
export function openColumn(column: ColumnFacts, meaning: Meaning | undefined, among: AmongClaims): OpenColumn {
  const open = openAs(column, meaning, among);
  return { ...open, says: open.says + wordsOfCut(column.values) };
}

interface AmongClaims {
  claims: readonly Claim[];
  kinds: readonly KindName[];
  free: readonly Field[];
}

function openAs(column: ColumnFacts, meaning: Meaning | undefined, { claims, kinds, free }: AmongClaims): OpenColumn {
  const { name } = column;
  if (column.survey.values === 0) return { column: name, says: 'it has no values', candidates: [] };
  const own = claims.filter(
    (claim) => claim.column === column && (kinds.length === 0 || kinds.includes(claim.field.kind)),
  );
  const refused = own.find(({ verdict }) => verdict.isOpen);
  const isNested = column.survey.nested * 2 > telling(column.survey);
  if (isNested) return { column: name, says: `its values are ${wordsOfNested(column.values)}`, candidates: [] };
  const guess = guessColumn(column, free);
  if (refused?.verdict.isOpen === true) {
    const says = `${refused.says} ${nameOf(refused.field)}, but ${refused.verdict.says}`;
    const others = refused.verdict.candidates.length > 0 ? refused.verdict.candidates : (guess?.candidates ?? []);
    const hasField = others.some((one) => !one.includes('…'));
    return { column: name, says, candidates: hasField ? others : [...others, nameOf(refused.field)] };
  }
  const all = [...(meaning?.fields ?? []), ...(meaning?.weak ?? [])];
  if (all.length === 0 && kinds.length === 0 && guess !== undefined) return { column: name, ...guess };
  const near = [...own.map(({ field }) => field), ...all.filter(({ kind }) => kinds.includes(kind))];
  // The number of a customer is more often that of an account.
  const key = meaning?.key === undefined ? [] : [ACCOUNT_NUMBER];
  const candidates = [...new Set([...key, ...(near.length > 0 ? near : all).map(nameOf)])];
  if (candidates.length === 0) return { column: name, ...(guess ?? { says: 'no field has such a name', candidates }) };
  if (own.length > 0 && kinds.length > 0) {
    return { column: name, says: 'another column may be this field, or it may be several', candidates };
  }
  const readings = guess?.candidates.filter((one) => one.includes('…') && one !== '…') ?? [];
  return {
    column: name,
    says: near.length > 0 && kinds.length > 0 ? 'its name says too little' : 'nothing else in this file says so',
    candidates: [...readings, ...candidates],
  };
}

const nameOf = ({ kind, path }: Field) => `${viewOf(kind)}.${path}`;
