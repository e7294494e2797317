import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FramedLine, frameLines, PartRefusal, unpack } from '@causeway/book';
import { LIMITS } from '@causeway/contracts';
import { DomainError } from '@causeway/domain';

/** Whoever waits for the event loop would notice more. */
const SLICE_MS = 3;

export interface PartOptions {
  /** The bytes are packed so. */
  encoding: 'identity' | 'gzip' | 'zstd';
  /** The `Content-Digest` header. */
  digest: string | undefined;
  maxLineBytes: number;
}

/** What to await between two pieces of work: others have the event loop meanwhile. */
export type Pause = () => Promise<unknown> | undefined;

export interface PartLines {
  /** Of the bytes as they were sent. */
  sha256: Buffer;
  lines: AsyncGenerator<FramedLine>;
  pause: Pause;
}

/**
 * The lines of a part, unpacked a few milliseconds at a time. Refuses with `bulk_part_invalid` at once if the digest is
 * another one; what `withPartRefusals` is around, wherever the bytes are damaged.
 */
export function openPart(bytes: Uint8Array, options: PartOptions): PartLines {
  refuseOtherDigest(bytes, options.digest);
  const sha256 = createHash('sha256').update(bytes).digest();
  const pause = createPause();
  return { sha256, lines: linesOf(bytes, options, pause), pause };
}

/** Refuses with `bulk_part_invalid` if the bytes that `work` reads cannot be unpacked, or are too many. */
export async function withPartRefusals<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PartRefusal ? invalidPart(error.message, error) : error;
  }
}

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

const DIGEST = /^(sha-256|sha-512)=:([A-Za-z0-9+/]+={0,2}):$/;
const KNOWN_ALGORITHM = /^sha-(?:256|512)(?:=|$)/i;

/**
 * RFC 9530: of the bytes as they were sent. Algorithms that we do not know say nothing to us, but one that we know must
 * be there: whoever sends a digest relies on its being checked.
 */
function refuseOtherDigest(bytes: Uint8Array, header: string | undefined): void {
  if (header === undefined) return;
  const items = header.split(',').map((item) => item.trim());
  const digests = items.filter((item) => KNOWN_ALGORITHM.test(item)).map((item) => DIGEST.exec(item));
  if (digests.length === 0) throw unreadableDigest();
  for (const digest of digests) {
    if (digest === null) throw unreadableDigest();
    const [, algorithm = '', expected] = digest;
    const actual = createHash(algorithm.replace('-', '')).update(bytes).digest('base64');
    if (actual !== expected)
      throw invalidPart(`The part is not what its Content-Digest says: its ${algorithm} differs.`);
  }
}

function unreadableDigest(): DomainError {
  return invalidPart('Content-Digest must be sha-256=:<base64>: (or sha-512), of the bytes as they are sent.');
}

export function invalidPart(detail: string, cause?: unknown): DomainError {
  return new DomainError('bulk_part_invalid', detail, { cause });
}
