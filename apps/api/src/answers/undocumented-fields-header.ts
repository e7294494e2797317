import type { ResponseNotes } from '../request/context.ts';

const MAX_HEADER_LENGTH = 4_096;
const MAX_NAME_LENGTH = 384;

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
    const encoded = name.replace(/[^\x21-\x24\x26-\x2b\x2d-\x7e]/gu, encodeURIComponent).slice(0, MAX_NAME_LENGTH);
    if (text.length + encoded.length > MAX_HEADER_LENGTH) {
      return `${text}, ...`;
    }
    text += text === '' ? encoded : `, ${encoded}`;
  }
  return text;
}
