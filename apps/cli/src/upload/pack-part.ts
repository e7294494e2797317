import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import type { Part } from './cut-parts.ts';

/** A part as it is sent. */
export interface PackedPart extends Omit<Part, 'bytes'> {
  bytes: Buffer<ArrayBuffer>;
  contentDigest: string;
}

const compress = promisify(zstdCompress);
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 1 };

/** Packs a part, in a thread beside this one; the same lines become the same bytes. */
export async function packPart({ bytes: plain, ...part }: Part): Promise<PackedPart> {
  const bytes = await compress(plain, { params: PARAMS });
  const digest = createHash('sha256').update(bytes).digest('base64');
  return { ...part, bytes, contentDigest: `sha-256=:${digest}:` };
}
