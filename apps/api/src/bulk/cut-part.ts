import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import {
  accountNumberOf,
  type Body,
  cutBodies,
  type FramedLine,
  frameLines,
  PartRefusal,
  unpack,
} from '@causeway/book';
import { LIMITS } from '@causeway/contracts';
import { type CutPart, DomainError, type PartBody } from '@causeway/domain';

const compress = promisify(zstdCompress);

/** Whoever waits for the event loop would notice more. */
const SLICE_MS = 3;

export interface PartOptions {
  /** The bytes are packed so. */
  encoding: 'identity' | 'gzip' | 'zstd';
  /** The `Content-Digest` header. */
  digest: string | undefined;
  maxLineBytes: number;
}

/**
 * Unpacks a part and cuts it into bodies, a few milliseconds at a time: others have the event loop in between. Refuses
 * with `bulk_part_invalid`.
 */
export async function cutPart(bytes: Uint8Array, options: PartOptions): Promise<CutPart> {
  refuseOtherDigest(bytes, options.digest);
  const sha256 = createHash('sha256').update(bytes).digest();
  const pause = createPause();
  const bodies: PartBody[] = [];
  try {
    for await (const body of cutBodies(linesOf(bytes, options, pause))) {
      bodies.push(await packed(body, options.maxLineBytes, pause));
    }
  } catch (error) {
    throw error instanceof PartRefusal ? invalid(error.message, error) : error;
  }
  if (bodies.length === 0) throw invalid('The part has no lines.');
  return { bytes: bytes.length, sha256, bodies };
}

type Pause = () => Promise<unknown> | undefined;

/** What to await between two pieces of work. */
function createPause(): Pause {
  let begunAt = performance.now();
  return () => {
    if (performance.now() - begunAt < SLICE_MS) return undefined;
    return nextTurn().then(() => {
      begunAt = performance.now();
    });
  };
}

async function* linesOf(
  bytes: Uint8Array,
  { encoding, maxLineBytes }: PartOptions,
  pause: Pause,
): AsyncGenerator<FramedLine> {
  const unpacked = unpack([bytes], { encoding, maxBytes: LIMITS.bulk_part_bytes });
  for await (const line of frameLines(unpacked, { maxLineBytes, maxLines: LIMITS.bulk_part_lines })) {
    await pause();
    yield line;
  }
}

async function packed({ text, lines, span }: Body, maxLineBytes: number, pause: Pause): Promise<PartBody> {
  const accountNumbers: (string | null)[] = [];
  for (const line of lines) {
    accountNumbers.push(accountNumberOf(line.bytes, maxLineBytes) ?? null);
    await pause();
  }
  return { lines: lines.length, span, accountNumbers, body: await compress(text) };
}

const DIGESTS = /^(sha-256|sha-512)=:([A-Za-z0-9+/]+={0,2}):$/;

/** RFC 9530: of the bytes as they were sent. Algorithms that we do not know say nothing to us. */
function refuseOtherDigest(bytes: Uint8Array, header = ''): void {
  for (const item of header.split(',')) {
    const [, algorithm, expected] = DIGESTS.exec(item.trim()) ?? [];
    if (algorithm === undefined) continue;
    const actual = createHash(algorithm.replace('-', '')).update(bytes).digest('base64');
    if (actual !== expected) throw invalid(`The part is not what its Content-Digest says: its ${algorithm} differs.`);
  }
}

function invalid(detail: string, cause?: unknown): DomainError {
  return new DomainError('bulk_part_invalid', detail, { cause });
}
