import { grouped } from '../terminal/numbers.ts';

/** What a value may be by its look, though it is written as it stands. */
const SUSPICIONS: readonly { sentence: string; isIn: (text: string) => boolean }[] = [
  {
    sentence: 'is a word that programs write for nothing; if it is, give --empty-text',
    isIn: (text) => /^(?:nan|none|n\/a|undefined)$/i.test(text),
  },
  {
    sentence: 'is fifteen digits with zeros behind: a spreadsheet may have cut it',
    isIn: (text) => /^[1-9]\d{13}[0-9]0+$/.test(text),
  },
  {
    sentence: 'has characters that were lost when it was decoded (U+FFFD), perhaps by a wrong --encoding',
    isIn: (text) => text.includes('\uFFFD'),
  },
  { sentence: 'looks as if UTF-8 had been read as Windows-1252', isIn: isDecodedTwice },
];

/** `Total`, which spreadsheets and clients write where an account would stand. */
export const standsBelowATable = (text: string) =>
  /^(?:(?:grand|sub)[ -]?)?totals?\b|^(?:sum|summe|count|eof|trailer)$/i.test(text.trim());

/** What stands at an amount and is left out. */
export const CURRENCY_LEFT_OUT = 'had a currency, which is left out';
export const hasCurrency = (text: string) => /\p{Sc}|(?<!\p{L})(?!CR|DR)[A-Z]{2,3}(?!\p{L})/u.test(text);

/** The sentence of what a text looks like; undefined: nothing. */
export function suspicionOf(text: string): string | undefined {
  return SUSPICIONS.find(({ isIn }) => isIn(text))?.sentence;
}

/** How many digits the postcodes of a country have that may begin with zeros. */
const POSTCODE_DIGITS: Readonly<Record<string, number>> = {
  ...{ AU: 4, DE: 5, ES: 5, FI: 5, FR: 5, IT: 5, MX: 5, NO: 4, NZ: 4, US: 5 },
};

/** What a postcode may have lost. */
export function suspicionOfPostcode(postcode: unknown, country: unknown): string | undefined {
  const digits = POSTCODE_DIGITS[String(country)];
  if (digits === undefined || typeof postcode !== 'string' || !/^\d+$/.test(postcode)) return undefined;
  return postcode.length < digits
    ? `has ${postcode.length} digits, and postcodes of ${country} have ${digits}: zeros in front may be lost`
    : undefined;
}

/** The letters that the first byte of two or three becomes, and one that the second becomes. */
const FIRST_AND_SECOND = /[\u00C2-\u00F4][\u0080-\u00BF\u0152-\u2122]/;
/** Where Windows-1252 has other letters than the byte's own number. */
const BYTES = new Map(
  Array.from(new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))).map(
    (letter, byte) => [letter, byte],
  ),
);

function isDecodedTwice(text: string): boolean {
  if (!FIRST_AND_SECOND.test(text)) return false;
  const bytes = Array.from(text, (letter) => BYTES.get(letter));
  if (bytes.includes(undefined)) return false;
  try {
    const once = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes as number[]));
    return once.length < text.length;
  } catch {
    return false;
  }
}

/** How many values of a column are remarkable in one way, and the first of them. */
export interface Remark {
  file: string;
  line: number | undefined;
  column: string;
  sentence: string;
  values: number;
  /** The first accounts that have them. */
  accounts: readonly string[];
}

/** What is remarkable, how often, and of which accounts. */
export function sentencesOf({ sentence, values, accounts }: Remark): string {
  const more = values > 1 ? ` ${grouped(values - 1)} more ${values === 2 ? 'value' : 'values'} like it.` : '';
  const named = accounts.length > 0 ? ` For example ${accounts.join(', ')}.` : '';
  return `The value ${sentence}.${more}${named}`;
}

/** Where a value stands; the account is unknown where none is. */
interface PlaceOfRemark {
  file: string;
  line: number | undefined;
  column: string;
  account?: string;
}

const MAX_ACCOUNTS = 3;

/** Counts what is remarkable, by file and column. */
export class Remarks {
  readonly #remarks = new Map<string, Remark & { accounts: string[] }>();

  add({ file, line, column, account = '' }: PlaceOfRemark, sentence: string): void {
    this.addAll({ file, line, column, sentence, values: 1, accounts: account === '' ? [] : [account] });
  }

  /** Adds what others have counted. */
  addAll({ values, accounts, ...first }: Remark): void {
    const key = JSON.stringify([first.file, first.column, first.sentence]);
    const remark = this.#remarks.get(key) ?? { ...first, values: 0, accounts: [] };
    this.#remarks.set(key, remark);
    remark.values += values;
    for (const account of accounts) {
      if (remark.accounts.length < MAX_ACCOUNTS && !remark.accounts.includes(account)) remark.accounts.push(account);
    }
  }

  get all(): readonly Remark[] {
    return [...this.#remarks.values()];
  }
}
