import { isAscii, isUtf8 } from 'node:buffer';
import { blocksOfLines, countLines, linesOfBlock } from './lines-of-bytes.ts';

/** A line of a file, and its bytes. */
export interface ByteLine {
  number: number;
  bytes: Buffer;
}

/** What the bytes of a file say of its encoding. */
export interface ByteSurvey {
  /** Its first bytes. */
  head: Buffer;
  /** By a byte order mark, or by the zeros that ASCII has without one. */
  utf16: { encoding: 'utf-16le' | 'utf-16be'; hasMark: boolean } | undefined;
  /** The first line that is not ASCII, and is UTF-8. */
  firstUtf8: ByteLine | undefined;
  /** The first lines that are not UTF-8. */
  others: readonly ByteLine[];
  /** Of the lines that were looked at until all is known: more of those that are not ASCII are not UTF-8. */
  isMostlyOther: boolean;
}

const HEAD_BYTES = 65_536;
const MAX_OTHERS = 5;

/** Reads a file once, to its end unless all is known before. */
export async function surveyBytes(pieces: AsyncIterable<Uint8Array>): Promise<ByteSurvey> {
  const head: Uint8Array[] = [];
  let headBytes = 0;
  const lines = new SurveyedLines();
  const cut = blocksOfLines();
  for await (const piece of pieces) {
    if (headBytes < HEAD_BYTES) {
      head.push(piece);
      headBytes += piece.length;
      if (headBytes >= HEAD_BYTES && utf16In(Buffer.concat(head)) !== undefined) break;
    }
    lines.look(cut(piece));
    if (lines.isDecided) break;
  }
  lines.look(cut());
  const bytes = Buffer.concat(head).subarray(0, HEAD_BYTES);
  const { firstUtf8, others, isMostlyOther } = lines;
  return { head: bytes, utf16: utf16In(bytes), firstUtf8, others, isMostlyOther };
}

class SurveyedLines {
  firstUtf8: ByteLine | undefined;
  readonly others: ByteLine[] = [];
  #utf8Lines = 0;
  #otherLines = 0;
  #linesBefore = 0;

  get isDecided(): boolean {
    return this.others.length === MAX_OTHERS && this.firstUtf8 !== undefined;
  }

  get isMostlyOther(): boolean {
    return this.#otherLines > this.#utf8Lines;
  }

  look(block: Buffer): void {
    if (!isAscii(block) && (this.firstUtf8 === undefined || !isUtf8(block))) this.#lookAtLines(block);
    this.#linesBefore += countLines(block);
  }

  #lookAtLines(block: Buffer): void {
    let number = this.#linesBefore;
    for (const bytes of linesOfBlock(block)) {
      number += 1;
      if (isAscii(bytes)) continue;
      // A copy: of the whole block only this line is kept.
      if (isUtf8(bytes)) {
        this.#utf8Lines += 1;
        this.firstUtf8 ??= { number, bytes: Buffer.from(bytes) };
        continue;
      }
      this.#otherLines += 1;
      if (this.others.length < MAX_OTHERS) this.others.push({ number, bytes: Buffer.from(bytes) });
    }
  }
}

/** What the first bytes of a file say of UTF-16. */
export function utf16In(head: Buffer): ByteSurvey['utf16'] {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', hasMark: true };
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', hasMark: true };
  let [even, odd] = [0, 0];
  for (const [index, byte] of head.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const aQuarterOfCharacters = head.length / 8;
  if (odd > aQuarterOfCharacters && even < odd / 8) return { encoding: 'utf-16le', hasMark: false };
  return even > aQuarterOfCharacters && odd < even / 8 ? { encoding: 'utf-16be', hasMark: false } : undefined;
}
