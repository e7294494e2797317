import { isDeepStrictEqual } from 'node:util';
import { judgeTimes } from '../rig/effects.ts';
import { OPERATIONS } from '../rig/operations.ts';
import { fieldOf } from '../rig/send.ts';
import { type Claim, exactly, none, tally } from '../scenario.ts';
import { readJob, readResults, type Upload, type UploadSite } from './upload-site.ts';

/** What the jobs say of every line, and what the database holds of it. */
interface JudgedUploads {
  /** Lines of each outcome. */
  outcomes: Record<string, number>;
  claims: Claim[];
}

const DONE = OPERATIONS.filter((name) => name !== 'instruction');

/** Compares finished jobs with what had to become of their lines, and with the database. */
export async function judgeUploads(site: UploadSite, uploads: readonly Upload[]): Promise<JudgedUploads> {
  const outcomes: string[] = [];
  const wrong: unknown[] = [];
  const claims: Claim[] = [];
  for (const upload of uploads) {
    const { supplier, jobId, accounts, counts: expected } = upload;
    const results = await readResults(site, upload);
    const told = tally(results.map(({ outcome }) => outcome));
    const counts = Object.entries(Object(fieldOf(await readJob(site, supplier, jobId), 'counts')));
    const found = Object.fromEntries(counts.filter(([, count]) => count !== 0));
    if (!isDeepStrictEqual(found, expected) || !isDeepStrictEqual(told, expected)) {
      wrong.push({ jobId, found, told, expected });
    }
    outcomes.push(...results.map(({ outcome }) => outcome));
    const done = accounts.flatMap((account) => DONE.map((name) => ({ account, name })));
    const judged = await judgeTimes(site.world, supplier, done);
    const stored = exactly('accounts in the database, beside those of good lines', judged.stored - accounts.length, 0);
    claims.push(...judged.claims, stored);
  }
  return {
    outcomes: tally(outcomes),
    claims: [
      ...claims,
      ...none({
        'jobs whose figures differ from their lines': wrong,
        'answers that were not expected': site.odd,
      }),
    ],
  };
}
