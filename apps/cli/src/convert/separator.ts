import { schemasAtPath } from '@causeway/contracts';
import { Failure } from '../frame/failure.ts';
import type { CsvFile } from './csv-file.ts';
import { ACCOUNT_NUMBER } from './kinds.ts';
import { type ConvertOptions, valueFor } from './options.ts';
import { readRecords } from './read-records.ts';

const SEPARATORS = [',', ';', '\t', '|'];
const NAMES: Readonly<Record<string, string>> = { tab: '\t', '\\t': '\t', comma: ',', semicolon: ';', pipe: '|' };

/** What stands between the cells of a file: the flag's, or the one with which most of its header is known. */
export async function separatorOf(
  file: CsvFile,
  options: ConvertOptions,
): Promise<{ separator: string; isGuessed: boolean }> {
  const given = valueFor(options.separator, file.kind.name);
  if (given !== undefined) return { separator: separatorNamed(given), isGuessed: false };
  const counts: { separator: string; known: number; columns: number }[] = [];
  for (const separator of SEPARATORS) counts.push({ separator, ...(await knownColumns(file, separator)) });
  counts.sort((one, other) => other.known - one.known || other.columns - one.columns);
  return { separator: counts[0]?.separator ?? ',', isGuessed: true };
}

async function knownColumns(file: CsvFile, separator: string): Promise<{ known: number; columns: number }> {
  try {
    for await (const { cells } of readRecords(file, separator)) {
      const names = cells.map((name) => name.trim());
      const known = names.filter(
        (name) => name === ACCOUNT_NUMBER || schemasAtPath(file.kind.schema, name.split('.')).length > 0,
      );
      return { known: known.length, columns: names.length };
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  return { known: 0, columns: 0 };
}

function separatorNamed(given: string): string {
  const separator = NAMES[given] ?? given;
  if (SEPARATORS.includes(separator)) return separator;
  throw new Failure('usage', `Unknown separator "${given}". Give , ; | or tab.`);
}

/** As a sentence names it. */
export function nameOfSeparator(separator: string): string {
  return separator === '\t' ? 'tab' : separator;
}
