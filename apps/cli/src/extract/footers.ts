import type { TextLine } from './text-lines.ts';

/** Words of lines below a table, such as `Total`, `Anzahl: 27365` and `*** ENDE DER LISTE ***`. */
const WORDS = new Set(
  [
    'total totals subtotal sum count rows row records record lines end eof trailer trl trlr',
    'summe summen gesamt gesamtsumme insgesamt endsumme anzahl sätze saetze datensätze datensaetze zeilen ende',
    'totaux totale totaal somme somma suma soma nombre lignes fin filas registros righe aantal rijen regels',
  ].flatMap((words) => words.split(' ')),
);
const BESIDE_WORDS = new Set(
  [
    'grand of the file list report data number affected selected returned exported in set',
    'der die des liste datei zahl général generale general de du la le fichier',
  ].flatMap((words) => words.split(' ')),
);

/** What MS-DOS writes behind a text. */
const END_OF_FILE = '\x1A';

/** A number or an amount, with its sign and currency. */
const NUMBER = /^[\p{Sc}(+\u2212-]*\d[\d.,'\u00A0 ]*[\p{Sc})-]*(?: ?(?:CR|DR|[A-Z]{3}))?$/u;

/**
 * Whether a row adds up or counts the rows above it, or says that they end: its first cell is nothing but such words, with
 * a number perhaps, and any other cell is that too, or a number, a day, or a number of something: `31773 ecritures`. A number
 * of nines alone may stand before them, or before the number of rows.
 *
 * @param rows those above it, where the row has not the cells of the others
 */
export function isFooter(cells: readonly string[], rows?: number): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (filled.length === 1 && filled[0] === END_OF_FILE) return true;
  const [nines = '', ...figures] = filled;
  if (rows !== undefined && /^9{1,3}$/.test(nines) && figures.every(isFigure)) return figures.some(isCountOf(rows));
  const [first, ...others] = /^9{3,}$/.test(nines) ? figures : filled;
  if (first === undefined || !isSaid(first.replace(NUMBERED_BEHIND, ''))) return false;
  return others.every((cell) => isFigure(cell) || NUMBERED.test(cell) || isSaid(cell));
}

const isFigure = (cell: string) => NUMBER.test(cell) || /^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/.test(cell);

/** A header and the last row itself may be counted too. */
const isCountOf = (rows: number) => (cell: string) => [0, 1, 2].some((more) => Number(cell) === rows + more);

/**
 * Whether a line of fixed width is such a row as a whole, whatever columns cut it into, or a ruler. One that begins with a
 * number counts no more rows than are above it: `3 Sätze`, but no account 40014; one of digits alone (`90000649…`) leaves most
 * columns empty.
 *
 * @param cells what the columns make of it
 */
export function isFooterLine({ text, number }: TextLine, cells: readonly string[]): boolean {
  const [word] = /\p{L}+/u.exec(text) ?? [];
  if (text.trim() === END_OF_FILE) return true;
  if (word === undefined && text.startsWith('9')) {
    const isCount = new RegExp(`^9{1,3}[ 0]+(?:${number - 1}|${number - 2})(?=[ 0]|$)[\\d .+-]*$`).test(text);
    return isCount && cells.filter((cell) => cell.trim() === '').length * 2 >= cells.length;
  }
  if (word === undefined) return isRuler(text);
  if (!WORDS.has(word.toLowerCase()) && !BESIDE_WORDS.has(word.toLowerCase())) return false;
  const [, count] = /^\s*([1-9]\d*) \p{L}+\s*$/u.exec(text) ?? [];
  return isFooter(cells) || ((!/^\s*\d/.test(text) || Number(count) < number) && isFooter([text]));
}

/** Dashes, stars and the like, and nothing else. */
export const isRuler = (line: string) => /^[\s*=_+|-]*[*=_+|-]{3}[\s*=_+|-]*$/.test(line);

const PAGE_WORD = 'p[aáà]g(?:ina|e|s)?|page|seite|blatt|hoja';
/** `Página 2`, or a title with it behind: `LEDGER 3.2   PAG. 14`. */
const PAGE = new RegExp(
  `^-*\\s*(?:${PAGE_WORD})\\.?\\s*:?\\s*\\d{1,6}\\b|\\s{2}(?:${PAGE_WORD})\\.?\\s*:?\\s*\\d{1,6}\\s*$`,
  'iu',
);

/**
 * Whether a row stands between two pages of a table, as what was written for a printer has them: the header again, the
 * number of a page, or a line of dashes.
 */
export function isPageHead(cells: readonly string[], header: readonly string[]): boolean {
  if (header.length < 2) return false;
  if (cells.length === header.length && cells.every((cell, index) => cell.trim() === header[index]?.trim()))
    return true;
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  if (filled.length > 0 && filled.every((cell) => isRuler(cell))) return true;
  return filled.length === 1 && cells[0]?.trim() === filled[0] && PAGE.test(filled[0] ?? '');
}

/** `TOTAL: 3 ecritures` in one cell. */
const NUMBERED_BEHIND = /(?<=\p{L}[\p{L} :=-]* )\d[\d.,']* \p{L}+[ *-]*$/u;

/** A number of something, in one word. */
const NUMBERED = /^\d[\d.,'\u00A0 ]* \p{L}+$/u;

function isSaid(cell: string): boolean {
  const parts = cell.toLowerCase().match(/[\p{L}]+|\d[\d.,']*/gu) ?? [];
  const words = parts.filter((part) => !/^\d/.test(part));
  return words.some((word) => WORDS.has(word)) && words.every((word) => WORDS.has(word) || BESIDE_WORDS.has(word));
}
