import { DAMAGED_NUMBER, type DoubtCode, MAY_BE_DECODED_WRONGLY, PLACEHOLDER } from '@causeway/contracts';

/** Fields that hold identifiers: an amount or a reading may be 123.0. */
const IDENTIFIER = /(?:^|_)(?:identifier|number|id|reference|mpxn|mpid)$/;

/** What is doubtful about a text, judging by it and by the name of its field alone. */
export function doubtOfText(text: string, field: string): DoubtCode | undefined {
  if (PLACEHOLDER.test(text)) return 'placeholder';
  if (DAMAGED_NUMBER.test(text)) return IDENTIFIER.test(field) ? 'damaged_number' : undefined;
  return MAY_BE_DECODED_WRONGLY.test(text) && isDecodedWrongly(text) ? 'wrongly_decoded_text' : undefined;
}

const BYTES_OF_WINDOWS_1252 = new Map(
  Array.from({ length: 256 }, (_, byte) => [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte]),
);
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** The text as Windows-1252 bytes is shorter text in UTF-8: nobody writes that by chance. */
function isDecodedWrongly(text: string): boolean {
  if (text.includes('\uFFFD')) return true;
  const bytes: number[] = [];
  for (const character of text) {
    const byte = BYTES_OF_WINDOWS_1252.get(character);
    if (byte === undefined) return false;
    bytes.push(byte);
  }
  try {
    return UTF_8.decode(Uint8Array.from(bytes)).length < text.length;
  } catch {
    return false;
  }
}
