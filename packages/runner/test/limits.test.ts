import {
  planBulkJob,
  resumeBulkJob,
  revokeApiKey,
  runChunk,
  VendorRejected,
  VendorUnavailable,
} from '@causeway/domain';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, expect, test } from 'vitest';
import { lineOf, linesOf } from './lines.ts';
import { startBooks } from './start-book.ts';

const books = await startBooks();
afterAll(books.drop);
const { owner, createSupplier, startJob, workOn, workUntil, jobOf, countsOf, resultsOf, dependencies } = books;

const setStatus = (code: string, status: string) =>
  owner.pool.query('UPDATE import_suppliers SET status = $2::import_supplier_status WHERE code = $1', [code, status]);

test('21.10.1 a job pauses while its import supplier is not ongoing, and continues by itself', async () => {
  const code = await createSupplier();
  await setStatus(code, 'PAUSED');
  const id = await startJob(code, { lines: linesOf(code, 3) });
  await workOn(id);
  expect(await jobOf(id)).toMatchObject({ state: 'PAUSED', state_reason: 'import_supplier_not_ongoing' });
  expect(await countsOf(id)).toEqual({});
  await setStatus(code, 'ONGOING');
  await workUntil(id, 'FINISHED');
  expect(await countsOf(id)).toEqual({ created: 3 });
});

test('21.10.2 a job pauses when more lines were refused than its options allow', async () => {
  const code = await createSupplier();
  const bad = Array.from({ length: 12 }, (_, index) => lineOf(code, `BAD-${index}`, { account_type: 'CASTLE' }));
  const many = await startJob(code, {
    lines: [...bad, ...linesOf(code, 4)],
    options: { max_refused: 2, parallelism: 1 },
  });
  await workOn(many);
  expect(await jobOf(many)).toMatchObject({ state: 'PAUSED', state_reason: 'too_many_refused' });
  const ratio = { max_refused: null, max_refused_ratio: 0.5 };
  const half = await startJob(code, { lines: [...bad, ...linesOf(code, 4)], options: ratio, together: 16 });
  await workOn(half);
  expect(await jobOf(half)).toMatchObject({ state: 'FINISHED' });
  const part = await startJob(code, {
    lines: [...bad, ...linesOf(code, 4)],
    options: { ...ratio, parallelism: 1 },
    together: 12,
  });
  await workOn(part);
  expect(await jobOf(part)).toMatchObject({ state: 'PAUSED', state_reason: 'too_many_refused' });
});

test('21.10.2 a rehearsal lists all that would be refused, and the real run after it has its limits', async () => {
  const code = await createSupplier();
  const lines = Array.from({ length: 12 }, (_, index) => lineOf(code, `BAD-${index}`, { account_type: 'CASTLE' }));
  const options = { max_refused: 2, max_refused_ratio: 0.1, parallelism: 1 };
  const id = await startJob(code, { run_mode: 'REHEARSAL', lines, options });
  await workOn(id);
  const { state, report } = await jobOf(id);
  expect(state).toBe('REHEARSED');
  expect(report.counts).toMatchObject({ refused: 12, waiting: 0 });
  await books.rehearsed(id);
  await workOn(id);
  expect(await jobOf(id)).toMatchObject({ state: 'PAUSED', state_reason: 'too_many_refused' });
});

test('21.10.3 a job pauses if its operations team does not exist', async () => {
  const code = await createSupplier();
  const id = await startJob(code, { lines: linesOf(code, 2), options: { operations_team_name: 'Nobody' } });
  await workOn(id);
  expect(await jobOf(id)).toMatchObject({ state: 'PAUSED', state_reason: 'operations_team_gone' });
  expect(await countsOf(id)).toEqual({});
});

test('21.10.4 lines hold slots of the import supplier, but never those that are left to callers', async () => {
  const code = await createSupplier({ process_concurrency_limit: 4 });
  const id = await startJob(code, { lines: linesOf(code, 8), together: 8 });
  using caller = await borrowConnection(owner.pool);
  const { rows } = await caller.query(
    `SELECT ((('x' || substr(encode(digest, 'hex'), 1, 16))::bit(64) & ~x'000000000000ffff'::bit(64)))::bigint AS first
     FROM (SELECT set_byte(sha256($1), 6, get_byte(sha256($1), 6) & 15 | 128) AS digest) AS slot`,
    [named('process_slot', code)],
  );
  const first = BigInt(rows[0].first);
  for (const slot of [2n, 3n, 4n]) await caller.query('SELECT pg_advisory_lock($1)', [String(first + slot)]);
  const results: string[] = [];
  const report = {
    log: () => undefined,
    countLines: () => undefined,
    countChunk: (result: string) => results.push(result),
  };
  const release = async () => {
    if (results.includes('no_slots')) await caller.query('SELECT pg_advisory_unlock_all()');
  };
  await workOn(id, { report }, release);
  caller.release();
  expect(results).toContain('no_slots');
  expect(results.filter((result) => result === 'written').length).toBeGreaterThanOrEqual(3);
  expect(await countsOf(id)).toEqual({ created: 8 });
});

/** What the key of a supplier's slots is derived from: each part with its length. */
function named(...parts: string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(part));
      return [length, Buffer.from(part)];
    }),
  );
}

test('21.10.5 all lanes together keep the rate of a job', async () => {
  const code = await createSupplier();
  const id = await startJob(code, { lines: linesOf(code, 12), options: { accounts_per_second: 8, parallelism: 4 } });
  const dependenciesOf = () => ({ ...dependencies, clock: () => new Date() });
  await Promise.all([1, 2].map(() => workOn(id, { dependencies: dependenciesOf() })));
  expect(await countsOf(id)).toEqual({ created: 12 });
  const { rows } = await owner.pool.query(
    `SELECT extract(epoch FROM max(started_at) - min(started_at))::float8 AS seconds FROM bulk_chunks WHERE job_id = $1`,
    [id],
  );
  // Three chunks of four lines: the third may begin a second after the first.
  expect(rows[0].seconds).toBeGreaterThan(0.9);
});

test('21.10.6 payment vendors are asked while no transaction is open; what they cannot answer now is tried later', async () => {
  const code = await createSupplier();
  const asked: string[] = [];
  const vendor = {
    name: 'FAKE',
    async fetchInstruction(reference: string) {
      const { rows } = await owner.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`,
      );
      expect(rows).toEqual([]);
      asked.push(reference);
      if (reference === 'R-2') throw new VendorRejected('No such card.', 'not found');
      if (reference === 'R-3' && asked.filter((each) => each === 'R-3').length === 1) {
        throw new VendorUnavailable('The vendor does not answer.', 'time-out');
      }
      return { last4: '4242' };
    },
  };
  const lines = linesOf(code, 3).map((line, index) => ({
    ...line,
    payment_instruction: { vendor: 'FAKE', reference: `R-${index + 1}`, type: 'CARD' },
  }));
  const id = await startJob(code, { lines });
  await workOn(id, {
    dependencies: { ...dependencies, clock: books.quickClock(), paymentVendors: new Map([['FAKE', vendor]]) },
    lanes: 1,
  });
  expect(await countsOf(id)).toEqual({ created: 2, refused: 1 });
  expect((await resultsOf(id)).get(2)).toMatchObject({
    ...{ step: 'payment_instruction', code: 'payment_vendor_rejected' },
    errors: [{ attr: 'payment_instruction.reference' }],
  });
  expect(asked.filter((reference) => reference === 'R-3')).toHaveLength(2);
  const { rows } = await owner.pool.query(
    `SELECT reference, details FROM payment_instructions JOIN account_imports AS import ON import.id = account_import_id
     WHERE import_supplier_code = $1 ORDER BY reference`,
    [code],
  );
  const details = { last4: '4242' };
  expect(rows).toEqual([
    { reference: 'R-1', details },
    { reference: 'R-3', details },
  ]);
});

test('21.10.5 an import supplier with many jobs takes no more of the lanes than one with a single job', async () => {
  const [crowd, single] = [await createSupplier(), await createSupplier()];
  const many = await Promise.all(
    Array.from({ length: 20 }, (_, job) => {
      const lines = Array.from({ length: 5 }, (_, index) => lineOf(crowd, `${job}-${index}`));
      return startJob(crowd, { lines, together: 1 });
    }),
  );
  const one = await startJob(single, { lines: linesOf(single, 10), together: 1 });
  await workOn(one, { lanes: 1 });
  const { rows } = await owner.pool.query(
    'SELECT count(*)::int AS done FROM bulk_chunks WHERE done AND job_id = ANY ($1)',
    [many],
  );
  expect(rows[0].done).toBeLessThan(50);
});

/** A key of the organisation, beside the one that creates the jobs. */
async function issueKey() {
  const { rows } = await owner.pool.query(
    `INSERT INTO api_keys (id, organisation_id, label, digest, created_at)
     SELECT gen_random_uuid(), organisation_id, 'night', sha256(gen_random_uuid()::text::bytea), now()
     FROM api_keys WHERE id = $1 RETURNING id, organisation_id`,
    [books.created_by],
  );
  return { apiKeyId: rows[0].id as string, organisationId: rows[0].organisation_id as string };
}

test('21.10.7 a job stops when the key is revoked with which it was started, until it is resumed with another one', async () => {
  const code = await createSupplier();
  const id = await startJob(code, { lines: linesOf(code, 3), together: 1 });
  const leaked = await issueKey();
  await owner.pool.query('UPDATE bulk_jobs SET run_by = $2 WHERE id = $1', [id, leaked.apiKeyId]);
  await revokeApiKey(books.staff, { id: leaked.apiKeyId });
  await workOn(id);
  expect(await jobOf(id)).toMatchObject({ state: 'PAUSED', state_reason: 'api_key_revoked' });
  expect(await countsOf(id)).toEqual({});
  const good = await issueKey();
  await resumeBulkJob({ ...books.staff, actor: { kind: 'organisation', ...good } }, { job_id: id });
  await workUntil(id, 'FINISHED');
  expect(await countsOf(id)).toEqual({ created: 3 });
  const { rows } = await owner.pool.query(
    `SELECT DISTINCT api_key_id FROM audit_events WHERE request_id LIKE 'bulk:' || $1 || '/1/%'`,
    [id],
  );
  expect(rows).toEqual([{ api_key_id: good.apiKeyId }]);
});

test('21.10.7 no chunk is begun with a key that was revoked, or that is not the one of the job', async () => {
  const code = await createSupplier();
  const id = await startJob(code, { lines: linesOf(code, 2), together: 1 });
  const [leaked, other] = [await issueKey(), await issueKey()];
  await owner.pool.query('UPDATE bulk_jobs SET run_by = $2 WHERE id = $1', [id, leaked.apiKeyId]);
  const { rows } = await owner.pool.query('SELECT * FROM bulk_jobs WHERE id = $1', [id]);
  const workAs = (key: typeof leaked) => ({ ...rows[0], actor: { kind: 'organisation', ...key } });
  await planBulkJob(dependencies, workAs(leaked));
  expect(await runChunk(dependencies, workAs(other))).toEqual({ result: 'nothing' });
  expect(await runChunk(dependencies, workAs(leaked))).toMatchObject({ result: 'written' });
  await revokeApiKey(books.staff, { id: leaked.apiKeyId });
  expect(await runChunk(dependencies, workAs(leaked))).toEqual({ result: 'nothing' });
  expect(await countsOf(id)).toEqual({ created: 1 });
});
