import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { Failure } from '../frame/failure.ts';
import { type CsvFile, EXPECTED_FORM, utf8Of } from './csv-file.ts';

/** A row as it stands in its file. */
export interface CsvRow {
  /** On which it begins, from 1. */
  line: number;
  cells: string[];
}

/** A row that is longer has a quote that is not closed: it is not read to the end of the file. */
const MAX_RECORD_BYTES = 4 * 1024 * 1024;

/**
 * The rows of a file, the header first and blank lines left out.
 *
 * @throws Failure where its quotes do not match, with the line: what follows cannot be trusted
 */
export async function* readRecords(
  file: CsvFile,
  separator: string,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<CsvRow> {
  let line = 1;
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_RECORD_BYTES,
    on_record(cells: string[], { lines }) {
      const row: CsvRow = { line, cells };
      line = lines + 1;
      // The library's types know records of texts alone.
      return cells.length === 1 && cells[0] === '' ? null : (row as unknown as string[]);
    },
  });
  try {
    yield* pipeline(utf8Of(file, onBytes), parser, () => {}) as AsyncIterable<CsvRow>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Failure('usage', `${file.name} line ${line}: ${sentenceOf(error)}`, { ...EXPECTED_FORM, cause: error });
  }
}

/** The library's own sentence repeats the value. */
function sentenceOf({ code }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE')
    return 'A quote that opens here is not closed.';
  return 'A quote stands within a cell. Put the cell in quotes, and write each quote in it twice.';
}
