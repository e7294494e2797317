import { quoted } from '../terminal/lines.ts';
import { commandLines } from './command-line.ts';
import { severalCurrencies, severalSuppliers } from './one-supplier.ts';
import type { ConvertOptions } from './options.ts';
import type { WrittenBook } from './write-book.ts';

/** What comes after a book: to make one of each import supplier, or to validate it. */
export function nextLines(
  { supplier, suppliers, currencies, country = 'GB' }: WrittenBook,
  options: ConvertOptions,
): string[] {
  const currencyLines = severalCurrencies(currencies, country);
  const [first, ...others] = [...suppliers.keys()];
  if (first === undefined || others.length === 0) {
    const validate = `  causeway validate ${quoted(options.output)}`;
    return [
      ...currencyLines,
      'Next, by the country of the import supplier:',
      `${validate} --country ${country}`,
      'or, after causeway login, by all of its settings:',
      `${validate} --like-supplier ${quoted(supplier ?? 'CODE')}`,
    ];
  }
  const several = severalSuppliers(suppliers);
  if (options.mapping === undefined) return [...several, 'Convert the files of each by themselves.', ...currencyLines];
  const outputOf = (code: string) =>
    options.output.replace(/(?=(?:\.ndjson)?(?:\.gz|\.zst)?$)/, `-${code.replaceAll(' ', '-')}`);
  const flagsOf = (code: string) => `--only-supplier ${quoted(code)}`;
  return [
    ...several,
    ...currencyLines,
    'Make a book of each:',
    ...commandLines(options, { flags: [flagsOf(first)], output: outputOf(first) }),
    ...others.map((code) => `and the same with ${flagsOf(code)} -o ${quoted(outputOf(code))}`),
  ];
}
