import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { accountImportId, removeBulkFiles } from '@causeway/domain';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { serviceOfFile, startTestService, type TestSupplier, until } from '../support/test-service.ts';
import { addChunk, createJob, line, ndjson, putPart, readJob, sha256, startedJob } from './bulk-calls.ts';

let supplier: TestSupplier;

const service = await serviceOfFile();
beforeEach(async () => {
  supplier = await service.createSupplier();
});

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const partsOf = (job_id: string) => service.database.prisma.bulkPart.findMany({ where: { job_id } });
async function bodiesOf(job_id: string) {
  const { rows } = await service.database.pool.query<{ number: number; lines: number; body: Buffer }>(
    'SELECT number, lines, span, account_ids, body FROM bulk_bodies WHERE job_id = $1 ORDER BY number',
    [job_id],
  );
  return rows;
}
const sentLines = (bodies: { body: Uint8Array }[]) =>
  bodies.map(({ body }) => zstdDecompressSync(body).toString()).join('');

describe('a part', () => {
  test('21.4.1 is stored with its lines, digest and accounts before it is answered', async () => {
    const id = await createJob(supplier);
    const bytes = ndjson([line('A-1'), '', { account: { external_account_number: 'A-2' } }, 'no JSON']);
    const { status, body } = await putPart(supplier, { id, number: 3 }, bytes);
    expect([status, body]).toMatchObject([201, { number: 3, lines: 3, bytes: bytes.length }]);
    const [part] = await partsOf(id);
    expect(part).toMatchObject({ number: 3, lines: 3, bytes: bytes.length });
    expect(Buffer.from(part?.sha256 ?? []).toString('base64')).toBe(sha256(bytes));
    const bodies = await bodiesOf(id);
    const account_ids = [...['A-1', 'A-2'].map((named) => accountImportId(supplier.code, named)), null];
    expect(bodies).toMatchObject([{ number: 3_000, lines: 3, span: 4, account_ids }]);
    expect(sentLines(bodies)).toBe(bytes.toString());
  });

  test('21.4.2 may be sent again with the same bytes, and not with others', async () => {
    const id = await createJob(supplier);
    const first = await putPart(supplier, { id }, ndjson([line('A-1')]));
    const again = await putPart(supplier, { id }, ndjson([line('A-1')]));
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body]);
    const other = await putPart(supplier, { id }, ndjson([line('A-2')]));
    expect(codeOf(other)).toEqual([409, 'bulk_part_differs']);
    expect(sentLines(await bodiesOf(id))).toBe(ndjson([line('A-1')]).toString());
  });

  test('21.4.2 with one number that comes twice at once is stored once', async () => {
    const id = await createJob(supplier);
    const numbers = Array.from({ length: 6 }, (_, index) => `B-${index}`);
    const answers = await Promise.all(numbers.map((number) => putPart(supplier, { id }, ndjson([line(number)]))));
    const stored = answers.filter(({ status }) => status === 201);
    expect([stored.length, answers.filter(({ status }) => status === 409).length]).toEqual([1, 5]);
    expect(await partsOf(id)).toHaveLength(1);
    expect(await bodiesOf(id)).toHaveLength(1);
  });

  test('21.4.10 is listed with the digest of its bytes, page by page, also after the start', async () => {
    const id = await createJob(supplier);
    const list = async (query = '') => (await supplier.get(`bulk-jobs/${id}/parts/${query}`)).body;
    expect(await list()).toEqual([]);
    const parts = [ndjson([line('A-1')]), gzipSync(ndjson([line('A-2'), line('A-3')])), ndjson([line('A-4')])];
    for (const [index, bytes] of parts.entries()) await putPart(supplier, { id, number: index + 1 }, bytes);
    const stored = parts.map((bytes, index) => ({
      number: index + 1,
      bytes: bytes.length,
      lines: index === 1 ? 2 : 1,
      content_digest: `sha-256=:${sha256(bytes)}:`,
    }));
    expect(await list()).toMatchObject(stored);
    const { headers, body } = await supplier.get(`bulk-jobs/${id}/parts/?limit=2`);
    expect(body).toMatchObject(stored.slice(0, 2));
    expect(headers.get('link')).toContain('after=2');
    expect(await list('?limit=2&after=2')).toMatchObject(stored.slice(2));
    await supplier.post(`bulk-jobs/${id}/start/`, { run_mode: 'REAL', parts: 3, lines: 4 });
    expect(await list()).toMatchObject(stored);
  });

  test.each([
    ['identity', (bytes: Buffer) => bytes],
    ['gzip', (bytes: Buffer) => gzipSync(bytes)],
    ['zstd', (bytes: Buffer) => zstdCompressSync(bytes)],
  ])('21.4.3 may be packed: %s', async (encoding, pack) => {
    const bytes = ndjson(Array.from({ length: 250 }, (_, index) => line(`P-${index}`)));
    for (const headers of [{ 'Content-Encoding': encoding }, {}]) {
      const id = await createJob(supplier);
      const { status, body } = await putPart(supplier, { id, headers }, pack(bytes));
      expect([status, body.lines]).toEqual([201, 250]);
      const bodies = await bodiesOf(id);
      expect(bodies.map(({ number, lines }) => [number, lines])).toEqual([
        [1_000, 100],
        [1_001, 100],
        [1_002, 50],
      ]);
      expect(sentLines(bodies)).toBe(bytes.toString());
    }
  });

  test('21.4.4 that cannot be read, or has too many lines or another digest, is refused, and nothing of it is stored', async () => {
    const id = await createJob(supplier);
    const bytes = ndjson([line('A-1')]);
    const digests = [`sha-256=:${sha256(randomBytes(3))}:`, 'sha-256=abcdef', 'md5=:1B2M2Y8AsgTpgAmY7PhCfg==:', ''];
    const refused: Record<string, [Buffer, Record<string, string>?]> = {
      'is cut off': [gzipSync(bytes).subarray(0, -6), { 'Content-Encoding': 'gzip' }],
      'is a bomb of zstd': [zstdCompressSync(Buffer.alloc(67_108_865, 32))],
      'has too many lines': [gzipSync(Buffer.from('{}\n'.repeat(10_001)))],
      'has no lines': [Buffer.from('\n \n')],
      ...Object.fromEntries(
        digests.map((digest) => [`has the digest ${digest}`, [bytes, { 'Content-Digest': digest }]]),
      ),
    };
    for (const [what, [sent, headers = {}]] of Object.entries(refused)) {
      const answer = await putPart(supplier, { id, headers }, sent);
      expect([what, ...codeOf(answer)]).toEqual([what, 400, 'bulk_part_invalid']);
    }
    expect([await partsOf(id), await bodiesOf(id)]).toEqual([[], []]);
  });

  test('21.4.4 with the digest that it says is stored', async () => {
    const id = await createJob(supplier);
    const bytes = gzipSync(ndjson([line('A-1')]));
    const headers = { 'Content-Encoding': 'gzip', 'Content-Digest': `unixsum=:AA==:, sha-256=:${sha256(bytes)}:` };
    expect((await putPart(supplier, { id, headers }, bytes)).status).toBe(201);
  });

  test('21.4.5 of another media type, packed otherwise, too large or without a number is refused', async () => {
    const id = await createJob(supplier);
    const bytes = ndjson([line('A-1')]);
    for (const type of ['application/json', 'text/plain', '']) {
      const answer = await putPart(supplier, { id, headers: { 'Content-Type': type } }, bytes);
      expect([type, ...codeOf(answer)]).toEqual([type, 415, 'unsupported_media_type']);
    }
    const brotli = await putPart(supplier, { id, headers: { 'Content-Encoding': 'br' } }, bytes);
    expect(codeOf(brotli)).toEqual([415, 'unsupported_media_type']);
    const large = await putPart(supplier, { id }, randomBytes(10_485_761));
    expect(codeOf(large)).toEqual([413, 'payload_too_large']);
    for (const number of ['0', '-1', '1.5', 'x', '100001', '01']) {
      const answer = await putPart(supplier, { id, number }, bytes);
      expect([...codeOf(answer), answer.body.errors[0].attr]).toEqual([400, 'request_failed_validation', 'number']);
    }
  });

  test('21.4.6 that is cut on its way leaves nothing, and can be sent again', async () => {
    const id = await createJob(supplier);
    const bytes = ndjson([line('A-1'), line('A-2')]);
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const head = [
      `PUT /v1/data-import/bulk-jobs/${id}/parts/1/ HTTP/1.1`,
      'Host: x',
      `Authorization: ${supplier.token}`,
      'Content-Type: application/x-ndjson',
      `Content-Length: ${bytes.length}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${bytes.subarray(0, 20)}`, () => socket.destroy());
    await until(() => socket.closed);
    expect(await partsOf(id)).toEqual([]);
    expect((await putPart(supplier, { id }, bytes)).status).toBe(201);
  });

  test('21.4.7 goes to a job that is OPEN, and that takes parts', async () => {
    const id = await createJob(supplier);
    await putPart(supplier, { id }, ndjson([line('A-1')]));
    await supplier.post(`bulk-jobs/${id}/start/`, { run_mode: 'REAL' });
    const late = await putPart(supplier, { id, number: 2 }, ndjson([line('A-2')]));
    expect(codeOf(late)).toEqual([409, 'bulk_job_state_not_allowed']);
    const cohort = await createJob(supplier, { kind: 'PROCESS' });
    const none = await putPart(supplier, { id: cohort }, ndjson([line('A-2')]));
    expect(codeOf(none)).toEqual([409, 'bulk_job_state_not_allowed']);
  });

  test('21.4.7 beside a start is either in the job or refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await createJob(supplier);
      await putPart(supplier, { id }, ndjson([line('A-1')]));
      const [part, start] = await Promise.all([
        putPart(supplier, { id, number: 2 }, ndjson([line('A-2')])),
        supplier.post(`bulk-jobs/${id}/start/`, { run_mode: 'REAL' }),
      ]);
      expect(start.status).toBe(200);
      expect([201, 409]).toContain(part.status);
      const { lines, parts } = await readJob(supplier, id);
      expect([lines, parts]).toEqual(part.status === 201 ? [2, 2] : [1, 1]);
    }
  });

  test('21.4.8 is refused of an import supplier that stores four times what is free, and taken of another one', async () => {
    const small = await startTestService({ BULK_MAX_STORED_BYTES: '50000', BULK_LANES: '0' });
    const [greedy, other] = [await small.createSupplier(), await small.createSupplier()];
    const [id, theirs] = [await createJob(greedy), await createJob(other)];
    const part = () => ndjson([{ ...line('A-1'), body: randomBytes(4_000).toString('base64') }]);
    const answers = [];
    for (let number = 1; number <= 12; number += 1) answers.push(await putPart(greedy, { id, number }, part()));
    const taken = answers.filter(({ status }) => status === 201).length;
    expect(codeOf(answers[taken] as never)).toEqual([409, 'bulk_storage_full']);
    expect([9, 10]).toContain(taken);
    expect((await putPart(other, { id: theirs }, part())).status).toBe(201);
    await small.stop();
  });

  test('21.4.8 is refused if results and failed rows take the space, until they are removed', async () => {
    const small = await startTestService({ BULK_MAX_STORED_BYTES: '20000', BULK_LANES: '0' });
    const own = await small.createSupplier();
    const done = await startedJob(own, small.database);
    const results = [{ line: 1, detail: randomBytes(8_000).toString('base64') }];
    await addChunk(small.database, done, { results, failed_rows: [JSON.stringify(results)] });
    await own.post(`bulk-jobs/${done}/cancel/`, {});
    const id = await createJob(own);
    expect(codeOf(await putPart(own, { id }, ndjson([line('A-1')])))).toEqual([409, 'bulk_storage_full']);
    expect(await small.database.prisma.bulkPart.count({ where: { job_id: id } })).toBe(0);
    await removeBulkFiles(small.database, new Date(Date.now() + 31 * 86_400_000));
    const next = await createJob(own);
    expect((await putPart(own, { id: next }, ndjson([line('A-1')]))).status).toBe(201);
    await small.stop();
  });

  test('21.4.9 is unpacked and cut in a thread: the one that answers callers does a small part of the work', async () => {
    const id = await createJob(supplier);
    // That thread is started with the first part.
    await putPart(supplier, { id }, ndjson([line('A-1')]));
    const text = `{"external_account_number":"L","x":[${'0,'.repeat(500_000)}0]}\n`;
    // Few enough that a busy machine answers within the time of a request.
    const packed = zstdCompressSync(Buffer.from(text.repeat(6)));
    const [ofProcess, ofThread] = [process.cpuUsage(), process.threadCpuUsage()];
    expect((await putPart(supplier, { id, number: 2 }, packed)).body).toMatchObject({ lines: 6 });
    const [all, own] = [process.cpuUsage(ofProcess), process.threadCpuUsage(ofThread)];
    expect(own.user + own.system).toBeLessThan((all.user + all.system) / 2);
  });

  test('21.4.11 counts as held by its party as what it is unpacked, until it is answered', async () => {
    const small = await startTestService({ MAX_HELD_BYTES: '1000000' });
    onTestFinished(small.stop);
    const own = await small.createSupplier();
    const id = await createJob(own);
    const random = randomBytes(300_000).toString('base64');
    // Each body has the same in it: packed together they are small, and each alone is not.
    const lines = Array.from({ length: 8 }, (_, index) => ({ ...line(`H-${index}`), random }));
    const answer = await putPart(own, { id }, zstdCompressSync(ndjson(lines)));
    expect([...codeOf(answer), answer.headers.get('retry-after')]).toEqual([503, 'service_unavailable', '5']);
    expect(await small.database.prisma.bulkPart.count()).toBe(0);
    expect((await putPart(own, { id }, ndjson([line('H-1')]))).status).toBe(201);
  });

  test('21.6.1 of another organisation’s job is refused as one of a job that was never created', async () => {
    const id = await createJob(supplier);
    const foreign = await service.createSupplier();
    const answer = await putPart(foreign, { id }, ndjson([line('A-1')]));
    const absent = await putPart(foreign, { id: foreign.organisationId }, ndjson([line('A-1')]));
    expect(codeOf(answer)).toEqual([404, 'bulk_job_does_not_exist']);
    expect(answer.body).toEqual(absent.body);
    expect(await partsOf(id)).toEqual([]);
  });
});
