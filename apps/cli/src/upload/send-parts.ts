import type { BulkJob, BulkPart } from '@causeway/contracts';
import { Failure } from '../frame/failure.ts';
import { pathOfJob } from '../jobs/job-calls.ts';
import type { Service } from '../session/open-service.ts';
import type { Part } from './cut-parts.ts';
import { type PackedPart, packPart } from './pack-part.ts';
import { unlessTaken } from './taken-meanwhile.ts';

/** A job that a book is sent to, and what it has of it. */
export interface Upload {
  job: BulkJob;
  /** Digests by the numbers of the parts. */
  stored: ReadonlyMap<number, string>;
  /** How often its parts are halved. */
  halvings: number;
}

/** What a book has, counted from its own files. */
export interface SentBook {
  parts: number;
  lines: number;
}

const AT_ONCE = 3;

/**
 * Sends the parts that the job does not have, three at a time, and tells of each once it is stored. Throws a Failure if
 * the job has other bytes: then it is another book.
 */
export async function sendParts(
  service: Service,
  upload: Upload,
  { parts, onStored }: { parts: AsyncIterable<Part>; onStored: (part: PackedPart, isNew: boolean) => void },
): Promise<SentBook> {
  const sent: SentBook = { parts: 0, lines: 0 };
  const sending = new Set<Promise<void>>();
  let failure: unknown;
  const send = async (part: Part) => {
    const packed = await packPart(part);
    const isNew = await sendPart(service, upload, packed);
    onStored(packed, isNew);
  };
  try {
    for await (const part of parts) {
      if (failure !== undefined) break;
      sent.parts += 1;
      sent.lines += part.lines;
      const one = send(part)
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => sending.delete(one));
      sending.add(one);
      if (sending.size >= AT_ONCE) await Promise.race(sending);
    }
  } finally {
    await Promise.all(sending);
  }
  if (failure !== undefined) throw failure;
  return sent;
}

/** Whether the service did not have it. */
async function sendPart(service: Service, { job, stored }: Upload, part: PackedPart): Promise<boolean> {
  const { number, bytes, contentDigest } = part;
  const known = stored.get(number);
  if (known === contentDigest) return false;
  if (known !== undefined || job.state !== 'OPEN') throw isAnotherBook(job, number);
  const headers = {
    'content-type': 'application/x-ndjson',
    'content-encoding': 'zstd',
    'content-digest': contentDigest,
  };
  const path = `${pathOfJob(job.id)}parts/${number}/`;
  await service.put<BulkPart>(path, bytes, headers).catch(async (error: unknown) => {
    if (error instanceof Failure && error.code === 'bulk_part_differs') throw isAnotherBook(job, number);
    throw await unlessTaken(service, job, error);
  });
  return true;
}

/** The same lines are the same bytes, unless another version of Node has packed them. */
export function isAnotherBook({ id, state, label }: BulkJob, number: number): Failure {
  const name = label === null ? '' : ` "${label}"`;
  return new Failure('usage', `Job ${id}${name}, which is ${state}, has another part ${number} than this book.`, {
    lines: [
      '  The book has changed since, or another version of Node has packed it. Nothing of this job is changed.',
      '  --new-job uploads the book to a job of its own.',
    ],
  });
}
