/** A line of a text. */
export interface TextLine {
  /** From 1. */
  number: number;
  /** Empty where it is too long. */
  text: string;
  /** What ends it; empty: the text ends. */
  ending: string;
  isTooLong?: true;
}

/** The most that a line may have. */
export const MAX_LINE_CHARACTERS = 4 * 1024 * 1024;

/** The lines of a text that comes in pieces, as any system ends them. Of one that is too long nothing is kept. */
export async function* textLines(pieces: AsyncIterable<string>): AsyncGenerator<TextLine[]> {
  const reader = new LineReader();
  for await (const piece of pieces) yield reader.read(piece);
  yield reader.end();
}

class LineReader {
  /** The beginning of the next line. */
  #rest = '';
  #isTooLong = false;
  /** A line feed may come next: it would be the second half of the line's end. */
  #endsWithReturn = false;
  #number = 0;

  read(piece: string): TextLine[] {
    const text = this.#endsWithReturn ? `\r${piece}` : piece;
    this.#endsWithReturn = text.endsWith('\r');
    const parts = (this.#endsWithReturn ? text.slice(0, -1) : text).split(/(\r\n|\n|\r)/);
    const lines: TextLine[] = [];
    for (let at = 0; at < parts.length - 1; at += 2) {
      this.#append(parts[at] ?? '');
      lines.push(this.#take(parts[at + 1] ?? ''));
    }
    this.#append(parts.at(-1) ?? '');
    return lines;
  }

  end(): TextLine[] {
    if (this.#endsWithReturn) return [this.#take('\r')];
    return this.#rest === '' && !this.#isTooLong ? [] : [this.#take('')];
  }

  #append(text: string): void {
    if (this.#isTooLong) return;
    this.#rest = this.#rest === '' ? text : this.#rest + text;
    this.#isTooLong = this.#rest.length > MAX_LINE_CHARACTERS;
    if (this.#isTooLong) this.#rest = '';
  }

  #take(ending: string): TextLine {
    this.#number += 1;
    const line = { number: this.#number, text: this.#rest, ending };
    const isTooLong = this.#isTooLong;
    this.#rest = '';
    this.#isTooLong = false;
    return isTooLong ? { ...line, isTooLong } : line;
  }
}

/** A text, or its bytes, in one piece. */
export async function* once<Piece>(piece: Piece): AsyncGenerator<Piece> {
  yield piece;
}
