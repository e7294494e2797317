import { Failure } from '../frame/failure.ts';

const SAVE = 'Save it in the spreadsheet program as CSV UTF-8, or as .xlsx without a password.';
const UNPACK = 'Unpack it, and give the files in it.';

/** What is no rows of text, by its first bytes. */
const OTHER_FORMS: readonly { begins: RegExp; sentence: string }[] = [
  { begins: /^\xD0\xCF.\xE0/, sentence: `is an old workbook (.xls), or one with a password. ${SAVE}` },
  { begins: /^\s*<(?:!doctype|html|table|\?xml)/i, sentence: `is HTML or XML, whatever its name says. ${SAVE}` },
  { begins: /^%PDF/, sentence: 'is a PDF, from which no rows can be read safely. Export the data itself, as CSV.' },
  { begins: /^(?:\x89PNG|\xFF\xD8\xFF|GIF8|II\*\0|MM\0\*)/, sentence: 'is a picture. Export the data itself, as CSV.' },
  { begins: /^(?:7z\xBC\xAF|Rar!|BZh\d|\xFD7zXZ)/, sentence: `is packed in a form that is not read. ${UNPACK}` },
  { begins: /^(?:SQLite format 3|PAR1)/, sentence: 'is a database file. Export its tables, as CSV.' },
];

/**
 * @param head the first bytes of a file, each a character
 * @throws Failure where they are those of a form that is not read, with what to do
 */
export function refuseOtherForms(name: string, head: string): void {
  const other = OTHER_FORMS.find(({ begins }) => begins.test(head));
  if (other !== undefined) throw new Failure('usage', `${name} ${other.sentence}`);
}

/** Of a workbook or another zip file. */
export const isZip = (head: string) => head.startsWith('PK\x03\x04');

/** @throws Failure where gzip or zstd was a second packing */
export function refuseZipWithin(name: string, head: string): void {
  if (isZip(head))
    throw new Failure('usage', `${name} is a workbook or zip file that was packed again. Unpack it first.`);
}
