import type { Random } from '@causeway/testing';
import { type BulkJobs, bulkJobs } from '../rig/bulk-jobs.ts';
import { carefulSender, type SendLedger } from '../rig/careful-sender.ts';
import { bookLine } from '../rig/move-books.ts';
import { fieldOf } from '../rig/send.ts';
import type { Supplier, World } from '../rig/start-world.ts';
import { waitUntil } from '../rig/wait.ts';

/** What one bulk job has to have done. */
export interface Upload extends Uploader {
  jobId: string;
  /** How many lines have each outcome. */
  counts: Record<string, number>;
  /** Of the lines that had to be moved. */
  accounts: readonly string[];
}

/** A supplier's upload that should do no harm: resolves when its job has ended, with what has to be true of it. */
export type TriedUpload = (uploader: Uploader) => Promise<Upload>;

export interface Uploader {
  supplier: Supplier;
  jobs: BulkJobs;
  /** What should not have been answered is noted here. */
  ledger: SendLedger;
}

const PATIENCE_MS = 120_000;

/** Good lines for so many accounts. */
export function goodLines(supplier: Supplier, prefix: string, lines = 120): { accounts: string[]; book: Buffer } {
  const accounts = Array.from({ length: lines }, (_, index) => `${prefix}-${index + 1}`);
  const texts = accounts.map((account) => `${JSON.stringify(bookLine(supplier, account))}\n`);
  return { accounts, book: Buffer.from(texts.join('')) };
}

/** All is sent to the instance of the good organisation. */
export function uploaderOf(world: World, supplier: Supplier, known: { ledger: SendLedger; random: Random }): Uploader {
  const first = { url: world.url, instances: world.instances.slice(0, 1) };
  return { supplier, jobs: bulkJobs(carefulSender(first, supplier, known), supplier), ledger: known.ledger };
}

/** Moves a book of one part: what has to be true of it, by default that nothing but these accounts was created. */
export async function moveBook(
  uploader: Uploader,
  { accounts, book }: { accounts: readonly string[]; book: Uint8Array },
  counts: Upload['counts'] = { created: accounts.length },
): Promise<Upload> {
  const { jobs, ledger } = uploader;
  const jobId = await jobs.create();
  await jobs.upload(jobId, 1, book, ['201']);
  await jobs.start(jobId);
  const isFinished = async () => fieldOf(await jobs.read(jobId), 'state') === 'FINISHED';
  if (!(await waitUntil(isFinished, PATIENCE_MS))) ledger.odd.push({ jobId, isFinished: false });
  return { ...uploader, jobId, accounts, counts };
}
