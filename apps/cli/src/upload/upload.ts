import path from 'node:path';
import type { BulkJob } from '@causeway/contracts';
import { type Book, STANDARD_INPUT, startingWith } from '../book-files/book.ts';
import { openBook } from '../book-files/open-book.ts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { isMoving, startJob } from '../jobs/job-calls.ts';
import { describeJob, resultOfJob } from '../jobs/result-of-job.ts';
import { watchJob } from '../jobs/watch-job.ts';
import { openService, type Service } from '../session/open-service.ts';
import { counted, grouped } from '../terminal/numbers.ts';
import { cutParts } from './cut-parts.ts';
import { findUpload, type Wanted } from './find-upload.ts';
import { type JobFlags, jobOptions } from './job-options.ts';
import {
  isAnotherBook,
  type SentBook,
  type StoredPart,
  sendParts,
  type Upload,
  unlessTaken,
  type Way,
} from './send-parts.ts';
import { uploadEach } from './upload-each.ts';
import { UploadProgress } from './upload-progress.ts';

export interface UploadFlags extends JobFlags {
  supplier: string;
  kind: 'MOVE' | 'STAGE';
  label?: string;
  job?: string;
  newJob?: boolean;
  start?: boolean;
  rehearse?: boolean;
  watch?: boolean;
}

/** A service that is away is waited for this long: what is stored stays stored. */
const PATIENCE = '15m';

/** Uploads each book to a job of its own, one after the other; starts it and waits for it as the flags say. */
export async function upload(
  context: Context,
  { words: [books], options }: { words: [string[]]; options: UploadFlags },
): Promise<Result> {
  refuseContradictions(books, options);
  const { flags } = context;
  const service = await openService({ ...context, flags: { ...flags, patience: flags.patience ?? PATIENCE } });
  const opened = await Promise.all(books.map((name) => openBook([name], context)));
  const way: Way = { refusedBytes: Number.POSITIVE_INFINITY };
  return uploadEach(context, opened, (book) => uploadBook({ context, service, options, way }, book));
}

function refuseContradictions(
  books: readonly string[],
  { kind, team, job, start, rehearse, watch }: UploadFlags,
): void {
  if (kind === 'MOVE' && team === undefined) {
    throw new Failure('usage', 'A MOVE job creates accounts: say --team <name>, the operations team they belong to.');
  }
  if (watch && !start && !rehearse)
    throw new Failure('usage', '--watch waits for a job: say --start or --rehearse too.');
  if (job !== undefined && books.length > 1) throw new Failure('usage', '--job takes one book.');
}

interface Uploading {
  context: Context;
  service: Service;
  options: UploadFlags;
  way: Way;
}

async function uploadBook(uploading: Uploading, book: Book): Promise<Result> {
  const { context, service, options, way } = uploading;
  const [name = ''] = book.files;
  const parts = cutParts(book, context.stop);
  const { value: first } = await parts.next();
  if (context.stop.aborted) throw interrupted();
  if (first === undefined) throw new Failure('usage', `${name} has no lines.`);
  const wanted = wantedOf(options, name);
  const found = await findUpload(service, wanted, first);
  sayWhichJob(context, found);
  const progress = new UploadProgress(context, `${wanted.supplier}  ${name}`, book.bytes);
  const sending = {
    ...{ service, upload: found, way },
    onStored: (part: StoredPart) => progress.stored(part),
    onTooLarge: ({ message }: Failure) => context.output.say(`${message} Continuing with parts of half the size.`),
  };
  const sent = await sendParts(sending, startingWith(first, parts))
    .catch((error: unknown) => {
      throw error instanceof Failure && error.ending === 'interrupted' ? interrupted() : error;
    })
    .finally(() => progress.end());
  if (context.stop.aborted) throw interrupted(sent);
  const behind = [...found.stored.keys()].find((number) => number > sent.parts);
  if (behind !== undefined) throw isAnotherBook(found.job, behind);
  context.output.say(`${name} is stored. Lines: ${grouped(sent.lines)}. Parts: ${grouped(sent.parts)}.`);
  return afterUpload(uploading, found.job, sent);
}

function wantedOf(options: UploadFlags, name: string): Wanted {
  const { supplier, kind, label = nameOf(name), job, newJob } = options;
  return { supplier, kind, label, options: jobOptions(options), job, newJob };
}

const nameOf = (name: string) => (name === STANDARD_INPUT ? 'standard input' : path.basename(name));

function sayWhichJob({ output }: Context, { job, stored, undoneBefore }: Upload): void {
  output.event('job', { job_id: job.id, label: job.label, state: job.state, parts: stored.size });
  if (job.run > 0 || stored.size > 0) {
    output.say(
      `Continuing with job ${job.id}, which is ${job.state} and has ${counted(stored.size, 'part')} of this book.`,
    );
    output.say('  (--new-job would begin another one.)');
  } else {
    if (undoneBefore !== undefined) output.say(`Job ${undoneBefore} of this book was undone: a new one begins.`);
    output.say(`Job ${job.id}`);
  }
}

function interrupted(sent?: SentBook): Failure {
  const stored = sent === undefined ? '' : ` Stored: ${counted(sent.parts, 'part')}.`;
  return new Failure('interrupted', `Stopped.${stored} Nothing was started. Continue: the same command.`);
}

/** Starts the job if that is asked for and was not done before, and waits for it if that is. */
async function afterUpload({ context, service, options }: Uploading, job: BulkJob, sent: SentBook): Promise<Result> {
  const { start, rehearse, watch } = options;
  if (start && job.run_mode === 'REHEARSAL' && isMoving(job)) throw isRehearsing(job);
  const isToStart = job.state === 'OPEN' ? start || rehearse : job.state === 'REHEARSED' && start;
  const announced = job.state === 'OPEN' ? sent : undefined;
  const how = { isRehearsal: !start, ...(announced && { announced }) };
  const now = isToStart
    ? await startJob(service, job.id, how).catch(async (error: unknown) => {
        throw await unlessTaken(service, job, error);
      })
    : job;
  if (watch) return resultOfJob(context, service, await watchJob(context, service, job.id));
  if (isMoving(now) || now.state === 'OPEN') return describeJob(context, service, { ...now, ...linesOf(now, sent) });
  return resultOfJob(context, service, now);
}

/** The end of its rehearsal would look like that of the real run. */
function isRehearsing({ id }: BulkJob): Failure {
  return new Failure('usage', `Job ${id} is being rehearsed: nothing was started.`, {
    lines: [`  Wait for its end, then run the same command: causeway jobs watch ${id}`],
  });
}

/** What the job said before the upload is history. */
function linesOf({ state, counts }: BulkJob, { lines }: SentBook): Partial<BulkJob> {
  return state === 'OPEN' ? { lines, counts: { ...counts, waiting: lines } } : {};
}
