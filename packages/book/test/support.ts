import fc from 'fast-check';
import { type FramedLine, type FramingLimits, frameLines } from '../src/index.ts';

export const LIMITS: FramingLimits = { maxLineBytes: 1_000_000 };

/** Bytes cut into pieces of any sizes, empty ones included. */
export function inPieces(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(start, start + size));
    start += size;
  }
  return [...pieces, bytes.subarray(start)];
}

export async function* eachOf<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

export async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  return Array.fromAsync(items);
}

export function framed(pieces: Iterable<Uint8Array>, limits = LIMITS): Promise<FramedLine[]> {
  return allOf(frameLines(eachOf(pieces), limits));
}

export const pieceSizes = fc.array(fc.nat(40), { maxLength: 30 });

/** Bytes that can be a line: without a line feed, and nothing that a reader of lines takes away. */
export const lineBytes = fc
  .oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.string().map((text) => Buffer.from(text)),
  )
  .map((bytes) => Buffer.from(bytes).filter((byte) => byte !== 0x0a))
  .map((bytes) => Buffer.from(`{${Buffer.from(bytes).toString('latin1')}}`, 'latin1'));
