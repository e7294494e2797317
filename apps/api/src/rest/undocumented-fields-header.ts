import type { ResponseNotes } from '../trpc.ts';

const LONGEST_HEADER = 4_096;

/** Tells the caller, also of a refused request, what was sent and is not documented (design 4.3). */
export function undocumentedFieldsHeader({ undocumentedFields }: ResponseNotes): Record<string, string> {
  return undocumentedFields.length === 0 ? {} : { 'Undocumented-Fields': headerText(undocumentedFields) };
}

/**
 * Field names as one header line. They are the client's own words: what a header cannot carry, and the comma that
 * separates them, is percent-encoded, and the line ends with `...` where there are too many.
 */
function headerText(names: readonly string[]): string {
  const text = [...new Set(names)]
    .map((name) => name.replace(/[^\x21-\x2b\x2d-\x7e]/gu, encodeURIComponent))
    .join(', ');
  return text.length <= LONGEST_HEADER ? text : `${text.slice(0, text.lastIndexOf(', ', LONGEST_HEADER))}, ...`;
}
