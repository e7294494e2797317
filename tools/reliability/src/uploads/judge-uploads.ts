import { type Effects, readEffects, timesCounted } from '../rig/effects.ts';
import type { LineResult } from '../rig/move-books.ts';
import { OPERATIONS, type OperationName } from '../rig/operations.ts';
import { fieldOf } from '../rig/send.ts';
import { type Claim, none, tally } from '../scenario.ts';
import { readJob, readRows, type Upload, type UploadSite } from './upload-site.ts';

/** What the jobs say of every line, and what the database holds of it. */
export interface JudgedUploads {
  lines: number;
  /** Lines of each outcome. */
  outcomes: Record<string, number>;
  /** How often a line was refused with each code. */
  codes: Record<string, number>;
  lost: number;
  doubled: number;
  claims: Claim[];
}

type Result = LineResult & { code?: string; errors?: { code: string }[] };

interface JudgedJob {
  results: Result[];
  /** In what the job differs from what had to become of it. */
  wrong: unknown[];
  lost: unknown[];
  doubled: unknown[];
}

/** Compares finished and cancelled jobs with what had to become of their lines, and with the database. */
export async function judgeUploads(site: UploadSite, uploads: readonly Upload[]): Promise<JudgedUploads> {
  const listed = await listedCodes(site);
  const judged: JudgedJob[] = [];
  for (const upload of uploads) judged.push(await judge(site, upload));
  const results = judged.flatMap((one) => one.results);
  const codes = results.flatMap(({ code, errors = [] }) => [
    ...(code === undefined ? [] : [code]),
    ...errors.map((error) => error.code),
  ]);
  const lost = judged.flatMap((one) => one.lost);
  const doubled = judged.flatMap((one) => one.doubled);
  return {
    ...{ lines: results.length, lost: lost.length, doubled: doubled.length },
    outcomes: tally(results.map(({ outcome }) => outcome)),
    codes: tally(results.flatMap(({ code }) => code ?? [])),
    claims: [
      ...none({
        'accounts of good lines that are not in the database as they were sent': lost,
        'accounts that took effect twice, or of lines that were not moved': doubled,
        'jobs whose figures differ from their lines': judged.flatMap((one) => one.wrong),
        'codes of lines that the document does not list': codes.filter((code) => !listed.has(code)),
        'answers that the document does not allow, or that were not expected': site.odd,
      }),
    ],
  };
}

const MOVED = ['created', 'unchanged'];

async function judge(site: UploadSite, upload: Upload): Promise<JudgedJob> {
  const { supplier, jobId, counts: expected, accounts } = upload;
  const job = await readJob(site, supplier, jobId);
  const results = (await readRows(site, upload, 'results')).map((row) => JSON.parse(row) as Result);
  const counts = Object(fieldOf(job, 'counts')) as Record<string, number>;
  const shown = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  const found = { state: fieldOf(job, 'state'), counts: sorted(shown) };
  const told = sorted(tally(results.map(({ outcome }) => outcome)));
  const sum = Object.values(shown).reduce((total, count) => total + count, 0);
  const { not_processed: _none, ...withResult } = shown;
  const isRight =
    JSON.stringify(found) === JSON.stringify({ state: upload.state, counts: sorted(expected) }) &&
    JSON.stringify(told) === JSON.stringify(sorted(withResult)) &&
    sum === fieldOf(job, 'lines');
  const effects = new Map((await readEffects(site.world, supplier)).map((one) => [one.account, one]));
  const moved = results.flatMap(({ outcome, external_account_number }) =>
    MOVED.includes(outcome) ? [external_account_number ?? ''] : [],
  );
  const notMoved = results.flatMap(({ outcome, external_account_number }) =>
    MOVED.includes(outcome) ? [] : [external_account_number ?? ''],
  );
  const missing = upload.state === 'FINISHED' ? accounts.filter((account) => !moved.includes(account)) : [];
  return {
    results,
    wrong: isRight ? [] : [{ jobId, found, told, sum, expected }],
    lost: [...missing, ...moved.filter((account) => timesOf(effects.get(account)) === 0)],
    doubled: [
      ...moved.filter((account) => timesOf(effects.get(account)) > 1),
      ...notMoved.filter((account) => !moved.includes(account) && (effects.get(account)?.process ?? 0) > 0),
    ],
  };
}

/** How often an account's line took effect; 2 also if it did so partially. */
function timesOf(effects: Effects | undefined): number {
  const operations: OperationName[] = OPERATIONS.filter((name) => name !== 'instruction');
  const times = new Set(operations.map((name) => timesCounted(effects, name)));
  const [only] = times;
  return times.size === 1 && only !== undefined ? only : 2;
}

/** The codes that have a place of their own on the page of errors. */
async function listedCodes({ world }: UploadSite): Promise<Set<string>> {
  const page = await (await fetch(`${world.url()}/docs/errors`)).text();
  return new Set([...page.matchAll(/id="(\w+)"/g)].map(([, code = '']) => code));
}

const sorted = (counts: Record<string, number>) =>
  Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1));
