import type { Transform } from 'node:stream';
import { createGzip, createZstdCompress } from 'node:zlib';

/** What packs a book as the end of its name says: nothing, gzip or zstd. */
export function packed(name: string): Transform[] {
  if (name.endsWith('.gz')) return [createGzip()];
  return name.endsWith('.zst') ? [createZstdCompress()] : [];
}
