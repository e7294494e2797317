import type { ResponseNotes } from '../request/context.ts';

const MAX_HEADER_LENGTH = 4_096;
const MAX_NAME_LENGTH = 384;

/** Names the undocumented input to the caller, even if the request is refused (behaviour 2.2). */
export function undocumentedFieldsHeader({ undocumentedFields }: ResponseNotes): Record<string, string> {
  return undocumentedFields.length === 0 ? {} : { 'Undocumented-Fields': headerText(undocumentedFields) };
}

/**
 * Field names as one header line. They are the client's own text: characters that a header cannot carry, commas and
 * percent signs are percent-encoded, so that each name can be decoded, and the line ends with `...` if there are too
 * many.
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
