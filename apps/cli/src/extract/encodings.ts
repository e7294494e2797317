import iconv from 'iconv-lite';
import { Failure } from '../frame/failure.ts';
import { blocksOfLines, linesOfBlock } from './lines-of-bytes.ts';

/** What stands for bytes that are no character. */
export const REPLACEMENT = '\uFFFD';

const MARK = '\uFEFF';

/**
 * The encodings that a flag names, in the names of the standard: one, or several of which the first that fits a line
 * decides. Those of TextDecoder, and the code pages of DOS, such as cp850.
 *
 * @throws Failure where one of them is none
 */
export function encodingsNamed(given: string): readonly string[] {
  const names = given.split(',').map((name) => encodingNamed(name.trim()));
  if (names.length > 1 && names.some((name) => name.startsWith('utf-16'))) {
    throw new Failure('usage', `UTF-16 cannot be mixed with other encodings: "${given}".`);
  }
  return names;
}

function encodingNamed(given: string): string {
  const name = given.toLowerCase();
  if (isOfTextDecoder(name)) return new TextDecoder(name).encoding;
  if (/^(?:cp|ibm)\d+$/.test(name) && iconv.encodingExists(name)) return name;
  throw new Failure('usage', `Unknown encoding "${given}".`, {
    lines: [
      '  Give one such as utf-8, windows-1252, windows-1250, iso-8859-15, macintosh, cp850 or utf-16le,',
      '  or several, of which the first that fits a line decides: utf-8,windows-1252',
    ],
  });
}

function isOfTextDecoder(name: string): boolean {
  try {
    return new TextDecoder(name) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The text of bytes in one encoding or, line by line, in several; without a byte order mark. What fits none of them
 * becomes U+FFFD.
 */
export async function* decoded(
  pieces: AsyncIterable<Uint8Array>,
  encodings: readonly string[],
): AsyncGenerator<string> {
  const decode = decoderOf(encodings);
  let isBeginning = true;
  for await (const piece of pieces) {
    const text = decode(piece);
    yield isBeginning && text.startsWith(MARK) ? text.slice(MARK.length) : text;
    isBeginning &&= text === '';
  }
  yield decode();
}

/** Without a piece, what is left at the end. */
type Decode = (piece?: Uint8Array) => string;

function decoderOf(encodings: readonly string[]): Decode {
  const [first = 'utf-8', ...others] = encodings;
  if (others.length > 0) return decoderByLine(encodings);
  if (isOfTextDecoder(first)) {
    const decoder = new TextDecoder(first, { ignoreBOM: true });
    return (piece) => decoder.decode(piece, { stream: piece !== undefined });
  }
  const decoder = iconv.getDecoder(first);
  return (piece) => (piece === undefined ? (decoder.end() ?? '') : decoder.write(Buffer.from(piece)));
}

function decoderByLine(encodings: readonly string[]): Decode {
  const decoders = encodings.map(strictDecoderOf);
  const cut = blocksOfLines();
  const textOf = (bytes: Buffer) => {
    for (const decode of decoders) {
      const text = decode(bytes);
      if (text !== undefined) return text;
    }
    return new TextDecoder().decode(bytes);
  };
  return (piece) => {
    const block = cut(piece);
    return decoders[0]?.(block) ?? Array.from(linesOfBlock(block), textOf).join('');
  };
}

/** Decodes a whole text; undefined where it is none of that encoding. */
export function strictDecoderOf(encoding: string): (bytes: Uint8Array) => string | undefined {
  if (!isOfTextDecoder(encoding)) {
    return (bytes) => {
      const text = iconv.decode(Buffer.from(bytes), encoding);
      return text.includes(REPLACEMENT) ? undefined : text;
    };
  }
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  return (bytes) => {
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined;
    }
  };
}

/** Symbols that nobody writes beside a letter: most are letters in another code page. */
const NEVER_BESIDE = 'ƒ‰†‡¤¬¦ˆ˜¢¨¸¯¶\u2500-\u259F';
/** Symbols and quotes between two letters; there, but for apostrophes, dashes and the like, they are none. */
const SYMBOL_IN_WORD = new RegExp(
  String.raw`(?<=\p{L})[${NEVER_BESIDE}‚„]|[${NEVER_BESIDE}](?=\p{L})|(?<=\p{L})(?![\p{ASCII}’‘–—‐‑·´•…])[\p{S}\p{P}\p{No}](?=\p{L})`,
  'u',
);

/** Whether a word of a text has a symbol as no word has, such as `Zo‰`: it may have been read in a wrong encoding. */
export const hasSymbolInWord = (text: string) => SYMBOL_IN_WORD.test(text);

/** A small letter before a capital or behind two, a letter of another script beside a Latin one, or before a digit. */
const MIXTURE =
  /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|\p{Script=Latin}(?!\p{Script=Latin})\p{L}|(?!\p{Script=Latin})\p{L}\p{Script=Latin}|(?!\p{ASCII})\p{L}\d/u;

/** Whether a word that ASCII cannot write is none: it has symbols, controls or a mixture of letters as no word has. */
export const isNoWord = (word: string) => hasSymbolInWord(word) || /\p{C}/u.test(word) || MIXTURE.test(word);
