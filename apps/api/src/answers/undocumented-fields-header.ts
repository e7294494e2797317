import type { ResponseNotes } from '../request/context.ts';

const LONGEST_HEADER = 4_096;
const LONGEST_NAME = 384;

/** Tells the caller, also of a refused request, what was sent and is not documented (behaviour 2.2). */
export function undocumentedFieldsHeader({ undocumentedFields }: ResponseNotes): Record<string, string> {
  return undocumentedFields.length === 0 ? {} : { 'Undocumented-Fields': headerText(undocumentedFields) };
}

/**
 * Field names as one header line. They are the client's own words: what a header cannot carry, the comma that separates
 * them and the percent sign are percent-encoded, so that each can be read back, and the line ends with `...` where there
 * are too many.
 */
function headerText(names: readonly string[]): string {
  let text = '';
  for (const name of new Set(names)) {
    const encoded = name.replace(/[^\x21-\x24\x26-\x2b\x2d-\x7e]/gu, encodeURIComponent).slice(0, LONGEST_NAME);
    if (text.length + encoded.length > LONGEST_HEADER) {
      return `${text}, ...`;
    }
    text += text === '' ? encoded : `, ${encoded}`;
  }
  return text;
}
