import { quotedText } from '../extract/sql-names.ts';
import type { ValueSurvey } from './survey-values.ts';

/** What the values of a column say to a field. */
export type Verdict =
  | {
      isOpen: false;
      /** The value of the field, in SQL, from the quoted name of the column. */
      sql: (column: string) => string;
      /** Why, and of how many values it is true. */
      says: string;
    }
  | {
      isOpen: true;
      says: string;
      /** Expressions or fields between which only the owner can decide. */
      candidates: readonly string[];
    };

/**
 * A column without what stands around its values or for none: spaces, `N/A`, an end of time and, where they are numbers of
 * things, a spreadsheet's `.0`.
 */
export function cleaned(column: string, survey: ValueSurvey, { isNumber = false } = {}): string {
  const trimmed = survey.padded > 0 ? `trim(${column})` : column;
  const nothing = [...survey.nothingTexts, ...survey.openEndTexts];
  const told = nothing.length === 0 ? trimmed : `null_if(${[trimmed, ...nothing.map(quotedText)].join(', ')})`;
  return isNumber && survey.pointZeros > 0 ? `replace(${told}, '.0', '')` : told;
}
