import { zstdCompressSync } from 'node:zlib';
import { bookLine } from '../rig/move-books.ts';
import { knownInstruction } from '../rig/operations.ts';
import { fieldOf, nameOf } from '../rig/send.ts';
import type { World } from '../rig/start-world.ts';
import {
  ask,
  changeRequest,
  countOf,
  createJob,
  expectOf,
  goodLines,
  JOBS,
  note,
  partRequest,
  readJob,
  readRows,
  startBook,
  type TriedUpload,
  type Upload,
  untilFinished,
  untilJob,
} from './upload-site.ts';

/** So slow that there is a middle. */
const SLOWLY = { accounts_per_second: 150, parallelism: 1 };
const LINES = 250;
const MOST_JOBS = 20;
const BEYOND = 5;
const MISSING = '409 bulk_parts_missing';
const NOT_ALLOWED = '409 bulk_job_state_not_allowed';

const isBegun = (job: unknown): boolean => countOf(job, 'created') > 0;
const isPausedFor = (reason: string) => (job: unknown) => fieldOf(job, 'state_reason') === reason;

const pauseSupplier: TriedUpload = async (site, supplier) => {
  const { accounts, book } = goodLines(supplier, 'PAUSED', LINES);
  const jobId = await startBook(site, supplier, { book, options: SLOWLY });
  const { importSuppliers } = site.world.staff();
  await untilJob(site, { supplier, jobId }, isBegun);
  await importSuppliers.setStatus.mutate({ code: supplier.code, status: 'PAUSED' });
  await untilJob(site, { supplier, jobId }, isPausedFor('import_supplier_not_ongoing'));
  await importSuppliers.setStatus.mutate({ code: supplier.code, status: 'ONGOING' });
  return untilFinished(site, supplier, { jobId, accounts });
};

const removeTeam: TriedUpload = async (site, supplier) => {
  const { accounts, book } = goodLines(supplier, 'TEAM', LINES);
  const jobId = await startBook(site, supplier, { book, options: SLOWLY });
  await untilJob(site, { supplier, jobId }, isBegun);
  const { teamName } = supplier;
  await rename(site.world, { from: teamName, to: `${teamName} of before` });
  await untilJob(site, { supplier, jobId }, isPausedFor('operations_team_gone'));
  await rename(site.world, { from: `${teamName} of before`, to: teamName });
  await expectOf(site, supplier, { ...changeRequest(jobId, 'resume'), expected: '200' });
  return untilFinished(site, supplier, { jobId, accounts });
};

/** No call of the service does that: an operator has to. */
async function rename(world: World, { from, to }: { from: string; to: string }): Promise<void> {
  await world.query('UPDATE operations_teams SET name = $2 WHERE name = $1', [from, to]);
}

const guessIds: TriedUpload = async (site, supplier) => {
  const { accounts, book } = goodLines(supplier, 'OWN');
  const jobId = await createJob(site, supplier);
  await expectOf(site, supplier, { ...partRequest(jobId, 1, book), expected: '201' });
  const before = await readJob(site, supplier, jobId);
  const expected = '404 bulk_job_does_not_exist';
  const operations = site.published.operations.filter(({ path }) => path.includes('bulk-jobs/{job_id}/'));
  note(site, { found: operations.length > 0, expected: true });
  for (const { method, path: template } of operations) {
    const path = template.replace('{job_id}', jobId).replace('{number}', '1');
    if (method === 'PUT') await expectOf(site, site.stranger, { ...partRequest(jobId, 1, book), expected });
    else if (method === 'GET') await expectOf(site, site.stranger, { path, expected });
    else await expectOf(site, site.stranger, { path, body: { run_mode: 'REAL' }, expected });
  }
  note(site, { found: JSON.stringify(await readJob(site, supplier, jobId)), expected: JSON.stringify(before) });
  await expectOf(site, supplier, { ...changeRequest(jobId, 'start'), expected: '200' });
  return untilFinished(site, supplier, { jobId, accounts });
};

const shuffleParts: TriedUpload = async (site, supplier) => {
  const jobId = await createJob(site, supplier);
  const parts = [1, 2, 3].map((number) => goodLines(supplier, `PART${number}`, 30));
  const put = async (number: number, expected: string) => {
    const { book = Buffer.alloc(0) } = parts[number - 1] ?? {};
    await expectOf(site, supplier, { ...partRequest(jobId, number, book), expected });
  };
  await expectOf(site, supplier, { ...changeRequest(jobId, 'start'), expected: MISSING });
  await put(3, '201');
  await put(1, '201');
  await expectOf(site, supplier, { ...changeRequest(jobId, 'start'), expected: MISSING });
  await put(2, '201');
  await expectOf(site, supplier, { ...changeRequest(jobId, 'start'), expected: '200' });
  await expectOf(site, supplier, { ...changeRequest(jobId, 'start'), expected: NOT_ALLOWED });
  await put(2, NOT_ALLOWED);
  const accounts = parts.flatMap((part) => part.accounts);
  const ended = await untilFinished(site, supplier, { jobId, accounts });
  const results = await readRows(site, { supplier, jobId }, 'results');
  const order = results.map((row) => String(fieldOf(JSON.parse(row), 'external_account_number')));
  note(site, { found: order.join(), expected: accounts.join() });
  return ended;
};

const cancelHalfway: TriedUpload = async (site, supplier) => {
  const { accounts, book } = goodLines(supplier, 'HALF', LINES);
  const jobId = await startBook(site, supplier, { book, options: SLOWLY });
  await untilJob(site, { supplier, jobId }, isBegun);
  await expectOf(site, supplier, { ...changeRequest(jobId, 'cancel'), expected: '200' });
  await expectOf(site, supplier, { ...changeRequest(jobId, 'resume'), expected: NOT_ALLOWED });
  // A chunk that was being worked on is finished.
  const locked = `SELECT count(*) FROM bulk_chunks WHERE job_id = $1
    AND number NOT IN (SELECT number FROM bulk_chunks WHERE job_id = $1 FOR UPDATE SKIP LOCKED)`;
  while ((await site.world.count(locked, [jobId])) > 0);
  const created = countOf(await readJob(site, supplier, jobId), 'created');
  const cancelled: Upload = {
    ...{ jobId, supplier, state: 'CANCELLED', accounts },
    counts: { created, not_processed: LINES - created },
  };
  const rest = await readRows(site, { supplier, jobId }, 'unprocessed-rows');
  note(site, { found: rest.length, expected: LINES - created });
  if (rest.length === 0) return [cancelled];
  const again = await startBook(site, supplier, { book: Buffer.from(rest.join('\n')) });
  return [
    cancelled,
    ...(await untilFinished(site, supplier, { jobId: again, accounts: accounts.slice(-rest.length) })),
  ];
};

const hoard: TriedUpload = async (site, supplier) => {
  const body = { import_supplier: supplier.code, kind: 'STAGE' };
  const asked = Array.from({ length: MOST_JOBS + BEYOND }, () => ask(site, supplier, { path: JOBS, body }));
  const answers = await Promise.all(asked);
  const created = answers.filter(({ status }) => status === 201);
  const refused = answers.filter((answer) => nameOf(answer) === '409 bulk_storage_full');
  note(site, { found: [created.length, refused.length].join(), expected: [MOST_JOBS, BEYOND].join() });
  for (const answer of created) {
    const jobId = String(fieldOf(answer.body, 'id'));
    await expectOf(site, supplier, { ...changeRequest(jobId, 'cancel'), expected: '200' });
  }
  return [];
};

const failVendor: TriedUpload = async (site, supplier) => {
  const { world } = site;
  const paying = Array.from({ length: 20 }, (_, index) => `PAYS-${supplier.code}-${index + 1}`);
  const { accounts, book } = goodLines(supplier, 'FREE');
  for (const account of paying) world.vendor.behaveFor(`pm_${account}`, { kind: 'answer', status: 500 });
  const lines = paying.map((account) => `${JSON.stringify(bookLine(supplier, account, true))}\n`);
  const jobId = await startBook(site, supplier, {
    book: zstdCompressSync(Buffer.concat([book, Buffer.from(lines.join(''))])),
  });
  const othersAreDone = (job: unknown) => countOf(job, 'created') === accounts.length;
  await untilJob(site, { supplier, jobId }, othersAreDone);
  for (const account of paying) world.vendor.behaveFor(`pm_${account}`, knownInstruction(`pm_${account}`));
  return untilFinished(site, supplier, { jobId, accounts: [...accounts, ...paying] });
};

/** Raises an error for some accounts, as nothing that is sent should do. */
const poison: TriedUpload = async (site, supplier) => {
  await site.world.query(`CREATE OR REPLACE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'poison'; END $$`);
  await site.world.query(`CREATE OR REPLACE TRIGGER poison BEFORE INSERT ON account_imports FOR EACH ROW
    WHEN (NEW.external_account_number LIKE 'POISON-%0') EXECUTE FUNCTION poison()`);
  // One in each chunk.
  const { accounts, book } = goodLines(supplier, 'POISON', 19);
  const { accounts: others, book: more } = goodLines(supplier, 'BESIDE-POISON', 200);
  const good = [...accounts.filter((account) => !account.endsWith('0')), ...others];
  const jobId = await startBook(site, supplier, { book: Buffer.concat([book, more]) });
  return untilFinished(site, supplier, { jobId, accounts: good, counts: { created: good.length, failed: 1 } });
};

/** What happens to a supplier who means well. */
export const UNLUCKY_UPLOADS: Record<string, TriedUpload> = {
  'the supplier is paused in the middle, and resumed': pauseSupplier,
  'the operations team is gone in the middle, and back': removeTeam,
  "another organisation's job on every path": guessIds,
  'parts out of order, a start with one missing': shuffleParts,
  'cancelled in the middle, the rest sent again': cancelHalfway,
  'twenty-five jobs at once': hoard,
  'a payment vendor that always fails': failVendor,
};

/** Its five tries take a quarter of a minute. */
export const POISON: Record<string, TriedUpload> = { 'a line at which the service fails': poison };
