import type { BulkJob, BulkJobOptions, BulkJobRecord, StoredBulkPart } from '@causeway/contracts';
import { Failure } from '../frame/failure.ts';
import { jobsOf, pathOfJob, readJob } from '../jobs/job-calls.ts';
import type { Service } from '../session/open-service.ts';
import { halved, type Part, packPart } from './cut-parts.ts';
import type { Upload } from './send-parts.ts';

/** What a book is to be uploaded as. */
export interface Wanted {
  supplier: string;
  kind: 'MOVE' | 'STAGE';
  label: string;
  /** Those that were given. */
  options: Partial<BulkJobOptions>;
  /** `--job`. */
  job?: string | undefined;
  /** `--new-job`. */
  newJob?: boolean | undefined;
}

/**
 * The job that a book goes to: the one that is named; else the last one of its import supplier, kind and label that was
 * not cancelled or undone and has the same first part, or none yet; else a new one. Nothing about it is kept on this machine.
 */
export async function findUpload(service: Service, wanted: Wanted, first: Part): Promise<Upload> {
  if (wanted.job !== undefined) return named(service, wanted);
  const known = wanted.newJob ? [] : await jobsOf(service, wanted.supplier);
  const undone = new Set(known.flatMap(({ undoes_job, run_mode }) => (run_mode === 'REAL' ? (undoes_job ?? []) : [])));
  let undoneBefore: string | undefined;
  for (const record of known.filter((job) => isAlike(job, wanted)).reverse()) {
    const stored = await storedParts(service, record.id);
    const digest = stored.get(1);
    const isOfBook = digest === undefined ? record.state === 'OPEN' : await beginsWith(first, digest);
    if (!isOfBook) continue;
    if (!undone.has(record.id)) return asWanted({ job: await readJob(service, record.id), stored }, wanted);
    undoneBefore ??= record.id;
  }
  return { job: await createJob(service, wanted), stored: new Map(), ...(undoneBefore && { undoneBefore }) };
}

/** Whether these are the first lines of this part, or all of them. */
async function beginsWith(first: Part, digest: string): Promise<boolean> {
  for (let halvings = 0; ; halvings += 1) {
    const { part } = halved(first, halvings);
    const { contentDigest } = await packPart(part);
    if (contentDigest === digest) return true;
    if (part.lines === 1) return false;
  }
}

async function named(service: Service, wanted: Wanted): Promise<Upload> {
  const id = wanted.job ?? '';
  const job = await readJob(service, id);
  if (job.import_supplier !== wanted.supplier || job.kind !== wanted.kind) {
    throw new Failure('usage', `Job ${id} is a ${job.kind} job of ${job.import_supplier}.`);
  }
  return asWanted({ job, stored: await storedParts(service, id) }, wanted);
}

const isAlike = ({ kind, label, state }: BulkJobRecord, wanted: Wanted) =>
  kind === wanted.kind && label === wanted.label && state !== 'CANCELLED';

/** A job keeps the options that it was created with: with others it would not do what was asked. */
function asWanted(upload: Upload, { options }: Wanted): Upload {
  const { id, options: own } = upload.job;
  for (const [name, value] of Object.entries(options) as [keyof BulkJobOptions, unknown][]) {
    const isPace = name === 'parallelism' || name === 'accounts_per_second';
    if (isPace || own[name] === value) continue;
    throw new Failure('usage', `Job ${id} of this book has ${name} ${own[name]}, and you asked for ${value}.`, {
      lines: ['  Leave it out to continue with that job. --new-job uploads the book to a job of its own.'],
    });
  }
  return upload;
}

async function storedParts(service: Service, id: string): Promise<Map<number, string>> {
  const parts = await service.get<StoredBulkPart[]>(`${pathOfJob(id)}parts/`);
  return new Map(parts.map(({ number, content_digest }) => [number, content_digest]));
}

function createJob(service: Service, { supplier, kind, label, options }: Wanted): Promise<BulkJob> {
  return service.post('bulk-jobs/', { import_supplier: supplier, kind, label, options });
}
