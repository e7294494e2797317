import type { BulkJob, BulkPart } from '@causeway/contracts';
import { Failure } from '../frame/failure.ts';
import { pathOfJob, readJob } from '../jobs/job-calls.ts';
import type { Service } from '../session/open-service.ts';
import { halved, type PackedPart, type Part, packPart } from './cut-parts.ts';

/** A job that a book is sent to, and what it has of it. */
export interface Upload {
  /** The last job of the same book, which was undone. */
  undoneBefore?: string;
  job: BulkJob;
  /** Digests by the numbers of the parts. */
  stored: ReadonlyMap<number, string>;
}

/** What a book has, counted from its own files. */
export interface SentBook {
  parts: number;
  lines: number;
}

/** What lies before the service, as far as this command has met it. */
export interface Way {
  /** The smallest body that was too large for it. */
  refusedBytes: number;
}

export interface Sending {
  service: Service;
  upload: Upload;
  way: Way;
  onStored: (part: StoredPart) => void;
  onTooLarge: (refusal: Failure) => void;
}

/** A part that the service has. */
export interface StoredPart extends Pick<Part, 'lines' | 'readBytes'> {
  /** From 1. */
  number: number;
  isNew: boolean;
}

const AT_ONCE = 3;

/**
 * Sends the parts that the job does not have, three at a time, and tells of each once it is stored. One that is too large
 * for what lies before the service is halved, and so are those behind it. Throws a Failure if the job has other bytes:
 * then it is another book.
 */
export async function sendParts(sending: Sending, parts: AsyncIterable<Part>): Promise<SentBook> {
  const sender = new Sender(sending);
  try {
    for await (const part of parts) await sender.send(part);
  } finally {
    await sender.allSent();
  }
  sender.throwFailure();
  return sender.sent;
}

class Sender {
  readonly sent: SentBook = { parts: 0, lines: 0 };
  readonly #sending: Sending;
  readonly #active = new Set<Promise<void>>();
  #failure: unknown;
  #halvings = 0;
  /** The largest of those that are halved as often: a smaller one gets through. */
  #provenBytes = 0;

  constructor(sending: Sending) {
    this.#sending = sending;
  }

  async send(whole: Part): Promise<void> {
    for (let left: Part | undefined = whole; left !== undefined; ) {
      const { part, behind } = halved(left, this.#halvings);
      const packed = await packPart(part);
      if (await this.#store(packed)) {
        this.sent.parts += 1;
        this.sent.lines += part.lines;
        left = behind;
      } else {
        this.#halvings += 1;
        this.#provenBytes = 0;
      }
      this.throwFailure();
    }
  }

  allSent(): Promise<unknown> {
    return Promise.all(this.#active);
  }

  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** False if it has to be smaller. One of which that may be found is waited for: nothing behind it is stored by then. */
  async #store(part: PackedPart): Promise<boolean> {
    const { upload, way, onStored } = this.#sending;
    const { lines, readBytes, bytes, contentDigest } = part;
    const number = this.sent.parts + 1;
    const known = upload.stored.get(number);
    if (known === contentDigest) {
      onStored({ number, lines, readBytes, isNew: false });
      return true;
    }
    if (lines > 1 && (known !== undefined || bytes.length >= way.refusedBytes)) return false;
    if (known !== undefined || upload.job.state !== 'OPEN') throw isAnotherBook(upload.job, number);
    if (bytes.length > this.#provenBytes) return this.#storeFirst(part, number);
    const one = this.#put(part, number)
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#active.delete(one));
    this.#active.add(one);
    if (this.#active.size >= AT_ONCE) await Promise.race(this.#active);
    return true;
  }

  async #storeFirst(part: PackedPart, number: number): Promise<boolean> {
    const { way, onTooLarge } = this.#sending;
    const { lines, bytes } = part;
    try {
      await this.#put(part, number);
      this.#provenBytes = bytes.length;
      return true;
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'payload_too_large') || lines === 1) throw error;
      way.refusedBytes = bytes.length;
      onTooLarge(error);
      return false;
    }
  }

  async #put({ lines, readBytes, bytes, contentDigest }: PackedPart, number: number): Promise<void> {
    const { service, upload, onStored } = this.#sending;
    const headers = {
      'content-type': 'application/x-ndjson',
      'content-encoding': 'zstd',
      'content-digest': contentDigest,
    };
    const path = `${pathOfJob(upload.job.id)}parts/${number}/`;
    await service.put<BulkPart>(path, bytes, headers).catch(async (error: unknown) => {
      if (error instanceof Failure && error.code === 'bulk_part_differs') throw isAnotherBook(upload.job, number);
      throw await unlessTaken(service, upload.job, error);
    });
    onStored({ number, lines, readBytes, isNew: true });
  }
}

/** The same lines are the same bytes, unless another version of Node has packed them or another proxy takes fewer. */
export function isAnotherBook({ id, state, label }: BulkJob, number: number): Failure {
  const name = label === null ? '' : ` "${label}"`;
  return new Failure('usage', `Job ${id}${name}, which is ${state}, has another part ${number} than this book.`, {
    lines: [
      '  The book has changed, another version of Node compressed it, or another proxy limit split it',
      '  differently. The job was not changed.',
      '  --new-job uploads the book to a job of its own.',
    ],
  });
}

/**
 * What a refusal of a job that was OPEN a moment ago means: somebody else has started or cancelled it since. Any other
 * error as it is.
 */
export async function unlessTaken(service: Service, { id }: Pick<BulkJob, 'id'>, error: unknown): Promise<unknown> {
  if (!(error instanceof Failure && error.code === 'bulk_job_state_not_allowed')) return error;
  const { label, state } = await readJob(service, id);
  const { code } = error;
  if (state === 'CANCELLED') {
    const lines = ['  Nothing is moved. The same command begins another job.'];
    return new Failure('usage', `Job ${id} was cancelled while the book was being uploaded.`, { code, lines });
  }
  const sentence = `${label ?? 'This book'} is being uploaded by another run too, which has started job ${id}.`;
  const lines = [`  Wait for its end, which is that of this book: causeway jobs watch ${id}`];
  return new Failure('usage', sentence, { code, lines });
}
