const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** Of a file without line ends, such as a picture, so much is a block. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** Joins bytes that come in pieces into blocks of whole lines; without a piece, what is left. */
export function blocksOfLines(): (piece?: Uint8Array) => Buffer {
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  return (piece) => {
    const end = piece === undefined ? 0 : endOfLines(piece);
    if (piece !== undefined) rest.push(piece);
    restBytes += piece?.length ?? 0;
    if (piece !== undefined && end === 0 && restBytes <= MAX_LINE_BYTES) return Buffer.of();
    const bytes = Buffer.concat(rest);
    let cut = bytes.length;
    if (piece !== undefined) cut = end === 0 ? endOfCharacters(bytes) : bytes.length - piece.length + end;
    rest = [bytes.subarray(cut)];
    restBytes = bytes.length - cut;
    return bytes.subarray(0, cut);
  };
}

/** Behind the last end of a line; 0 without one. A carriage return at the end may be half of one. */
function endOfLines(bytes: Uint8Array): number {
  return Math.max(bytes.lastIndexOf(LINE_FEED), bytes.lastIndexOf(CARRIAGE_RETURN, -2)) + 1;
}

/** Before the last character of UTF-8, which may not be whole. */
function endOfCharacters(bytes: Uint8Array): number {
  const isWithin = (at: number) => ((bytes[at] ?? 0) & 0b1100_0000) === 0b1000_0000;
  let at = bytes.length - 1;
  while (at > bytes.length - 4 && isWithin(at)) at -= 1;
  return at;
}

/** The lines of a block, each with its end. */
export function* linesOfBlock(block: Buffer): Generator<Buffer> {
  for (let start = 0; start < block.length; ) {
    const end = endOfLine(block, start);
    yield block.subarray(start, end);
    start = end;
  }
}

/** How many lines end in a block. */
export function countLines(block: Buffer): number {
  const returns = count(block, CARRIAGE_RETURN);
  const pairs = returns === 0 ? 0 : count(block, Buffer.of(CARRIAGE_RETURN, LINE_FEED));
  return count(block, LINE_FEED) + returns - pairs;
}

function count(block: Buffer, bytes: number | Buffer): number {
  let found = 0;
  for (let at = block.indexOf(bytes); at !== -1; at = block.indexOf(bytes, at + 1)) found += 1;
  return found;
}

function endOfLine(block: Buffer, start: number): number {
  let at = start;
  while (at < block.length && block[at] !== LINE_FEED && block[at] !== CARRIAGE_RETURN) at += 1;
  if (block[at] === CARRIAGE_RETURN && block[at + 1] === LINE_FEED) at += 1;
  return Math.min(at + 1, block.length);
}
