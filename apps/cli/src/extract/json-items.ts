import { MAX_LINE_CHARACTERS, textLines } from './text-lines.ts';
import { TOO_LONG } from './text-row.ts';

/** A value in a file of JSON. */
export interface JsonItem {
  /** On which it begins, from 1. */
  line: number;
  /** As it stands there. */
  text: string;
  /** Why nothing of it can be read, in a sentence. */
  fault?: string;
}

/** The values of NDJSON: its lines, blank ones left out. */
export async function* itemsOfLines(text: AsyncIterable<string>): AsyncGenerator<JsonItem[]> {
  for await (const lines of textLines(text)) {
    yield lines.flatMap(({ number, text, isTooLong }) => {
      if (isTooLong) return [{ line: number, text, fault: TOO_LONG }];
      return text.trim() === '' ? [] : [{ line: number, text }];
    });
  }
}

/**
 * The values of an array, one after the other: the array may be larger than memory. Where it does not end, or text stands
 * behind its end, that is a fault of the last one.
 */
export async function* itemsOfArray(text: AsyncIterable<string>): AsyncGenerator<JsonItem[]> {
  const cutter = new ArrayCutter();
  for await (const piece of text) yield cutter.read(piece);
  yield cutter.end();
}

/** What decides where a value ends; within a string, what decides where that ends. */
const MARKS = /["{}[\],\n]/g;
const MARKS_OF_STRING = /["\\\n]/g;

class ArrayCutter {
  #items: JsonItem[] = [];
  #line = 1;
  /** 1: between the brackets of the array. */
  #depth = 0;
  #isInString = false;
  /** The last character was a backslash. */
  #isEscaped = false;
  /** What was read of the next value. */
  #text = '';
  #isTooLong = false;
  #lineOfText = 1;

  read(piece: string): JsonItem[] {
    let start = 0;
    let at = this.#isEscaped ? 1 : 0;
    if (piece !== '') this.#isEscaped = false;
    for (let mark = this.#markIn(piece, at); mark !== -1; mark = this.#markIn(piece, at)) {
      at = mark + 1;
      const character = piece[mark];
      if (character === '\\') {
        this.#isEscaped = at === piece.length;
        at += 1;
      } else if (this.#isAtEnd(character)) {
        this.#append(piece.slice(start, mark));
        this.#take();
        start = at;
      }
    }
    this.#append(piece.slice(start));
    return this.#taken();
  }

  end(): JsonItem[] {
    const isClosed = this.#depth === 0;
    this.#take();
    const [rest] = this.#taken();
    if (isClosed && rest === undefined) return [];
    const fault = isClosed ? 'Stands behind the end of the array.' : 'The array does not end: is the file whole?';
    return [{ line: this.#line, text: '', ...rest, fault }];
  }

  #markIn(piece: string, from: number): number {
    const marks = this.#isInString ? MARKS_OF_STRING : MARKS;
    marks.lastIndex = from;
    return marks.exec(piece)?.index ?? -1;
  }

  /** Whether a value ends before this character. */
  #isAtEnd(character: string | undefined): boolean {
    if (character === '\n') this.#line += 1;
    else if (character === '"') this.#isInString = !this.#isInString;
    else if (character === ',') return this.#depth === 1;
    else if (character === '{' || character === '[') {
      this.#depth += 1;
      return this.#depth === 1;
    } else {
      this.#depth -= 1;
      return this.#depth === 0;
    }
    return false;
  }

  #append(text: string): void {
    if (this.#isTooLong) return;
    this.#text += text;
    this.#isTooLong = this.#text.length > MAX_LINE_CHARACTERS;
    if (this.#isTooLong) this.#text = '';
  }

  #take(): void {
    const [blank = ''] = /^\s*/.exec(this.#text) ?? [];
    const line = this.#lineOfText + blank.split('\n').length - 1;
    const text = this.#text.trim();
    if (this.#isTooLong) this.#items.push({ line, text, fault: TOO_LONG });
    else if (text !== '') this.#items.push({ line, text });
    this.#text = '';
    this.#isTooLong = false;
    this.#lineOfText = this.#line;
  }

  #taken(): JsonItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }
}
