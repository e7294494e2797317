import { grouped } from '../terminal/numbers.ts';
import { cleaned } from './read-values.ts';
import { type ColumnFacts, MOST_PERCENT, telling } from './survey-values.ts';

/** One way to write the keys of a column as another column does. */
interface KeyForm {
  sql: (column: string) => string;
  write: (value: string) => string;
  says: string;
  /** A longer key cannot be written so. */
  longest?: number;
}

/** How the keys of one column are found among those of another. */
export interface KeyMatch {
  sql: (column: string) => string;
  found: number;
  keys: number;
  /** What had to be done to find them: empty, or words behind a comma. */
  says: string;
}

export const isNearlyAll = ({ found, keys }: Pick<KeyMatch, 'found' | 'keys'>) =>
  keys > 0 && found * 100 >= keys * MOST_PERCENT;

/** The keys among which others are looked for. */
export interface KeyValues {
  known: ReadonlySet<string>;
  /** How long most of those with zeros in front are, if there are any. A last line that is no row may be among them. */
  paddedTo: number | undefined;
  /** Nearly all are so long: keys that differ in zeros alone are one. */
  isOfOneLength: boolean;
}

export function keyValues(column: ColumnFacts, values: readonly string[]): KeyValues {
  const known = new Set(values.map(asItIs(column).write));
  const counts = new Map<number, number>();
  for (const key of known) if (/^0\d/.test(key)) counts.set(key.length, (counts.get(key.length) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  const paddedTo = most?.[0];
  const found = [...known].filter((key) => key.length === paddedTo).length;
  return { known, paddedTo, isOfOneLength: isNearlyAll({ found, keys: known.size }) };
}

/**
 * The form in which most keys are found, the simplest one first. Another one than their own has to find nearly all, and one
 * under which two keys would be one is none, unless all keys that are looked for are filled with zeros to one length.
 */
export function matchKeys(from: { column: ColumnFacts; values: readonly string[] }, to: KeyValues): KeyMatch {
  const told = from.values.filter((value) => !from.column.survey.nothingTexts.has(value.trim()));
  const bases = new Set(told.map(asItIs(from.column).write));
  let best: KeyMatch | undefined;
  for (const { sql, write, says, longest = Number.POSITIVE_INFINITY } of formsOf(from.column, to)) {
    const written = new Set(told.map(write));
    const isZerosAlone = to.isOfOneLength && longest === to.paddedTo;
    if (written.size < bases.size && !isZerosAlone) continue;
    const found = [...written].filter((value) => value.length <= longest && to.known.has(value)).length;
    const match = { sql, found, keys: written.size, says };
    if (best === undefined || (isNearlyAll(match) && found > best.found)) best = match;
    if (found === written.size) break;
  }
  best ??= { sql: (column) => column, found: 0, keys: bases.size, says: '' };
  return { ...best, says: best.says + wordsOfZeros(best, bases, to) };
}

/** What is said of keys whose zeros no one form of the column makes those of the other. */
export const DIFFERENT_ZEROS = 'but for zeros in front, which differ on both sides: unpad(…) both';

/** Both sides have zeros in front, as many as each row likes: nothing is written so, since both columns would change. */
function wordsOfZeros(best: KeyMatch, bases: ReadonlySet<string>, { known }: KeyValues): string {
  if (isNearlyAll(best)) return '';
  const unpadded = new Set([...known].map(unpad));
  const own = new Set([...bases].map(unpad));
  if (unpadded.size < known.size || own.size < bases.size) return '';
  const nearly = [...own].filter((value) => unpadded.has(value)).length;
  if (nearly <= best.found) return '';
  return `, and ${grouped(nearly)} ${DIFFERENT_ZEROS}`;
}

const unpad = (value: string) => value.replace(/^0+(?=.)/, '');

/** Keys without what a spreadsheet adds. */
export function asItIs({ survey }: ColumnFacts): KeyForm {
  const isNumber = survey.pointZeros > 0 && survey.pointZeros + survey.wholeNumbers === telling(survey);
  return {
    sql: (column) => cleaned(column, survey, { isNumber }),
    write: (value) => (isNumber ? value.trim().replace(/\.0$/, '') : survey.padded > 0 ? value.trim() : value),
    says: isNumber ? ', without .0' : '',
  };
}

function formsOf(from: ColumnFacts, { paddedTo }: KeyValues): KeyForm[] {
  const base = asItIs(from);
  const forms = [base];
  if (paddedTo !== undefined) {
    forms.push({
      sql: (column) => `pad(${base.sql(column)}, ${paddedTo})`,
      write: (value) => base.write(value).padStart(paddedTo, '0'),
      says: `${base.says}, with zeros up to ${paddedTo} characters`,
      longest: paddedTo,
    });
  }
  if (from.survey.leadingZeros > 0) {
    forms.push({
      sql: (column) => `unpad(${base.sql(column)})`,
      write: (value) => unpad(base.write(value)),
      says: `${base.says}, without leading zeros`,
    });
  }
  if (from.survey.leadingZeros > 0 && paddedTo !== undefined) {
    forms.push({
      sql: (column) => `pad(unpad(${base.sql(column)}), ${paddedTo})`,
      write: (value) => unpad(base.write(value)).padStart(paddedTo, '0'),
      says: `${base.says}, with zeros for ${paddedTo} characters`,
      longest: paddedTo,
    });
  }
  forms.push({
    sql: (column) => `upper(${base.sql(column)})`,
    write: (value) => base.write(value).toUpperCase(),
    says: `${base.says}, in capitals`,
  });
  return forms;
}
