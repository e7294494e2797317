import { cleaned } from './read-values.ts';
import { type ColumnFacts, telling } from './survey-values.ts';

/** One way to write the keys of a column as another column does. */
interface KeyForm {
  sql: (column: string) => string;
  write: (value: string) => string;
  says: string;
}

/** How the keys of one column are found among those of another. */
export interface KeyMatch {
  sql: (column: string) => string;
  found: number;
  keys: number;
  /** What had to be done to find them: empty, or words behind a comma. */
  says: string;
}

/** The keys among which others are looked for. */
export interface KeyValues {
  column: ColumnFacts;
  known: ReadonlySet<string>;
}

export const keyValues = (column: ColumnFacts, values: readonly string[]): KeyValues => ({
  column,
  known: new Set(values.map(asItIs(column).write)),
});

/** The form in which most keys are found, the simplest one first. A form under which two keys would be one is none. */
export function matchKeys(from: { column: ColumnFacts; values: readonly string[] }, to: KeyValues): KeyMatch {
  const told = from.values.filter((value) => !from.column.survey.nothingTexts.has(value.trim()));
  const bases = new Set(told.map(asItIs(from.column).write));
  let best: KeyMatch | undefined;
  for (const { sql, write, says } of formsOf(from.column, to.column)) {
    const written = new Set(told.map(write));
    if (written.size < bases.size) continue;
    const found = [...written].filter((value) => to.known.has(value)).length;
    if (best === undefined || found > best.found) best = { sql, found, keys: written.size, says };
    if (found === written.size) break;
  }
  return best ?? { sql: (column) => column, found: 0, keys: bases.size, says: '' };
}

/** Keys without what a spreadsheet adds. */
export function asItIs({ survey }: ColumnFacts): KeyForm {
  const isNumber = survey.pointZeros > 0 && survey.pointZeros + survey.wholeNumbers === telling(survey);
  return {
    sql: (column) => cleaned(column, survey, { isNumber }),
    write: (value) => (isNumber ? value.trim().replace(/\.0$/, '') : survey.padded > 0 ? value.trim() : value),
    says: isNumber ? ', without .0' : '',
  };
}

function formsOf(from: ColumnFacts, to: ColumnFacts): KeyForm[] {
  const base = asItIs(from);
  const { shortest, longest, leadingZeros } = to.survey;
  const forms = [base];
  if (leadingZeros > 0 && shortest === longest) {
    forms.push({
      sql: (column) => `pad(${base.sql(column)}, ${longest})`,
      write: (value) => base.write(value).padStart(longest, '0'),
      says: `${base.says}, with zeros up to ${longest} characters`,
    });
  }
  if (from.survey.leadingZeros > 0 && leadingZeros === 0) {
    forms.push({
      sql: (column) => `unpad(${base.sql(column)})`,
      write: (value) => base.write(value).replace(/^0+(?=.)/, ''),
      says: `${base.says}, without leading zeros`,
    });
  }
  forms.push({
    sql: (column) => `upper(${base.sql(column)})`,
    write: (value) => base.write(value).toUpperCase(),
    says: `${base.says}, in capitals`,
  });
  return forms;
}
