import { isDeepStrictEqual } from 'node:util';
import type { SendLedger } from '../rig/careful-sender.ts';
import { judgeTimes } from '../rig/effects.ts';
import { OPERATIONS } from '../rig/operations.ts';
import { fieldOf } from '../rig/send.ts';
import type { ServiceWorld } from '../rig/service-world.ts';
import { type Claim, exactly, none, tally } from '../scenario.ts';
import type { Upload } from './upload-site.ts';

/** What the jobs say of every line, and what the database holds of it. */
interface JudgedUploads {
  /** Lines of each outcome. */
  outcomes: Record<string, number>;
  claims: Claim[];
}

const DONE = OPERATIONS.filter((name) => name !== 'instruction');

/** Compares finished jobs with what had to become of their lines, and with the database. */
export async function judgeUploads(
  world: ServiceWorld,
  uploads: readonly Upload[],
  { odd }: SendLedger,
): Promise<JudgedUploads> {
  const outcomes: string[] = [];
  const wrong: unknown[] = [];
  const claims: Claim[] = [];
  for (const { supplier, jobs, jobId, accounts, counts: expected } of uploads) {
    const results = await jobs.readResults(jobId);
    const told = tally(results.map(({ outcome }) => outcome));
    const counts = Object.entries(Object(fieldOf(await jobs.read(jobId), 'counts')));
    const found = Object.fromEntries(counts.filter(([, count]) => count !== 0));
    if (!isDeepStrictEqual(found, expected) || !isDeepStrictEqual(told, expected)) {
      wrong.push({ jobId, found, told, expected });
    }
    outcomes.push(...results.map(({ outcome }) => outcome));
    const done = accounts.flatMap((account) => DONE.map((name) => ({ account, name })));
    const judged = await judgeTimes(world, supplier, done);
    const stored = exactly('accounts in the database, beside those of good lines', judged.stored - accounts.length, 0);
    claims.push(...judged.claims, stored);
  }
  return {
    outcomes: tally(outcomes),
    claims: [
      ...claims,
      ...none({
        'jobs whose figures differ from their lines': wrong,
        'answers that were not expected': odd,
      }),
    ],
  };
}
