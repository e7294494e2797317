import { Failure } from '../frame/failure.ts';
import { AS_UTF8, utf16In } from './not-utf8.ts';

/** A list, or an object that continues on the next line. */
const JSON_DOCUMENT = /^\s*(?:(\[)|\{\s*$)/;
/** A line of a book has its account in an object. */
const CSV_HEADER = /^[^{]*\bexternal_account_number\b/;
const HEAD_BYTES = 4_096;

/** Refuses a file that has no lines of JSON, by its first line, in place of each line of it (behaviour 25.1.7). */
export function refuseOtherForms(name: string, firstLine: Buffer, { takesCsv }: { takesCsv: boolean }): void {
  const utf16 = utf16In(firstLine);
  if (utf16 !== undefined) {
    const encoding = utf16.hasMark ? 'UTF-16' : utf16.encoding.toUpperCase();
    const lines = [`  ${AS_UTF8.replace('WINDOWS-1252', encoding)}`];
    throw new Failure('usage', `${name} is UTF-16: it has to be UTF-8.`, { lines });
  }
  const head = firstLine.toString('utf8', 0, HEAD_BYTES);
  const document = JSON_DOCUMENT.exec(head);
  if (document !== null) {
    const [, list] = document;
    throw new Failure('usage', `${name} is one JSON document: it has to be NDJSON, an account a line.`, {
      lines: [`  jq makes it so: jq -c '${list === undefined ? '.' : '.[]'}' FILE > book.ndjson`],
    });
  }
  if (takesCsv || !CSV_HEADER.test(head)) return;
  throw new Failure('usage', `${name} is CSV: a book is NDJSON, an account a line.`, {
    lines: ['  causeway convert makes a book of CSV files, in the form of: causeway sample --csv sample'],
  });
}
