import iconv from 'iconv-lite';
import { counted } from '../terminal/numbers.ts';
import { hasSymbolInWord, isNoWord, strictDecoderOf } from './encodings.ts';
import { LIKELY, maskedWord } from './find-encoding.ts';
import type { Source } from './source.ts';
import type { TextRow } from './text-row.ts';

const MAX_SHOWN = 3;

/** Words of a file in a given encoding that look as if it were another one: `Zo‰` is `Zoë` in code page 850. */
export class SymbolsInWords {
  readonly #source: Source;
  readonly #isLooking: boolean;
  readonly #words = new Set<string>();
  #rows = 0;
  #first = 0;

  constructor(source: Source) {
    this.#source = source;
    this.#isLooking = source.encodings.some((encoding) => !encoding.startsWith('utf-'));
  }

  add({ line, cells }: TextRow): void {
    if (!this.#isLooking) return;
    const words = cells.filter(hasSymbolInWord).flatMap((cell) => cell.split(/[\s,;|"]+/).filter(hasSymbolInWord));
    if (words.length === 0) return;
    this.#rows += 1;
    this.#first ||= line;
    for (const word of words) if (this.#words.size < MAX_SHOWN) this.#words.add(word);
  }

  get sentences(): readonly string[] {
    if (this.#rows === 0) return [];
    const shown = this.#source.showsValues ? (word: string) => word : maskedWord;
    const words = Array.from(this.#words, (word) => {
      const others = this.#inOthers(word).map(([encoding, text]) => `${shown(text)} as ${encoding}`);
      return `${shown(word)} (${others.join(', ') || 'no letters in another likely one'})`;
    });
    return [
      `${counted(this.#rows, 'row')} with symbols within words, first line ${this.#first}; is the encoding right? ${words.join(', ')}`,
    ];
  }

  /** The words of other encodings that have the same bytes, and letters only. */
  #inOthers(word: string): [encoding: string, text: string][] {
    const found = new Map<string, string>();
    const given = this.#source.encodings.find((one) => iconv.decode(iconv.encode(word, one), one) === word);
    if (given === undefined) return [];
    for (const encoding of LIKELY) {
      const text = strictDecoderOf(encoding)(iconv.encode(word, given));
      if (text !== undefined && text !== word && !isNoWord(text) && !found.has(text)) found.set(text, encoding);
    }
    return Array.from(found, ([text, encoding]): [string, string] => [encoding, text]);
  }
}
