import { beforeEach, describe, expect, test } from 'vitest';
import { readAllEvents } from '../events/read-all-events.ts';
import { followPages } from '../support/follow-pages.ts';
import { obtainToken, serviceOfFile, type TestSupplier } from '../support/test-service.ts';
import { createJob, fileCall, line, ndjson, putPart, readJob, setState, startedJob } from './bulk-calls.ts';

let supplier: TestSupplier;

const service = await serviceOfFile();
beforeEach(async () => {
  supplier = await service.createSupplier();
});

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const rowOf = (id: string) => service.database.prisma.bulkJob.findUniqueOrThrow({ where: { id } });
const post = (id: string, change: string, body: object = {}) => supplier.post(`bulk-jobs/${id}/${change}/`, body);

async function eventsOf(subject_id: string): Promise<string[]> {
  const rows = await service.database.prisma.auditEvent.findMany({ where: { subject_id }, orderBy: { id: 'asc' } });
  return rows.map(({ subject, action, actor }) => `${subject} ${action} ${actor}`);
}

/** A job with one part that was started and is worked on. */
const started = () => startedJob(supplier, service.database);

describe('a job', () => {
  test('21.3.1 is created OPEN, with its options and their defaults', async () => {
    const { status, body } = await supplier.post('bulk-jobs/', {
      import_supplier: supplier.code,
      kind: 'MOVE',
      label: 'Night 1',
      options: { operations_team_name: supplier.teamName, max_refused: 5 },
    });
    const options = {
      operations_team_name: supplier.teamName,
      parallelism: 1,
      accounts_per_second: null,
      max_refused: 5,
      max_refused_ratio: 0.1,
      check_previously_added: true,
      force_add_to_current_statement: true,
    };
    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: 'MOVE', label: 'Night 1', state: 'OPEN', run: 0, lines: 0, parts: 0, options });
    const row = await rowOf(body.id);
    expect(row).toMatchObject({ import_supplier_code: supplier.code, state: 'OPEN', kind: 'MOVE', options });
    expect(await eventsOf(body.id)).toEqual(['bulk_job created supplier']);
    expect(await readJob(supplier, body.id)).toEqual(body);
  });

  test.each<[string, () => Record<string, unknown>, string, string]>([
    ['without a team', () => ({ options: {} }), 'required', 'options.operations_team_name'],
    [
      'with a selection of lines',
      () => ({ selection: { states: ['STAGED'] } }),
      'contradicts_another_field',
      'selection',
    ],
    ['of no kind', () => ({ kind: 'OTHER' }), 'invalid_choice', 'kind'],
    [
      'with more parallelism than the import supplier may have',
      () => ({ options: { operations_team_name: supplier.teamName, parallelism: 3 } }),
      'max_value',
      'options.parallelism',
    ],
  ])('21.3.2 is not created %s', async (_what, fields, code, attr) => {
    const request = {
      import_supplier: supplier.code,
      kind: 'MOVE',
      options: { operations_team_name: supplier.teamName },
    };
    const answer = await supplier.post('bulk-jobs/', { ...request, ...fields() });
    expect(codeOf(answer)).toEqual([400, 'request_failed_validation']);
    expect(answer.body.errors).toMatchObject([{ code, attr }]);
    expect(await service.database.prisma.bulkJob.count({ where: { import_supplier_code: supplier.code } })).toBe(0);
  });

  test('21.3.2 is not created for a team that does not exist', async () => {
    const options = { operations_team_name: 'Nobody' };
    const answer = await supplier.post('bulk-jobs/', { import_supplier: supplier.code, kind: 'MOVE', options });
    expect(codeOf(answer)).toEqual([400, 'operations_team_name_does_not_exist']);
  });

  test('21.6.3 has at most the parallelism that staff have set for its import supplier', async () => {
    await service.staff.importSuppliers.update.mutate({ code: supplier.code, bulk_parallelism: 4 });
    const id = await createJob(supplier, { options: { operations_team_name: supplier.teamName, parallelism: 4 } });
    const changed = await service.staff.bulkJobs.setLimits.mutate({ id, parallelism: 9, accounts_per_second: 50 });
    expect(changed.options).toMatchObject({ parallelism: 9, accounts_per_second: 50 });
    expect((await rowOf(id)).options).toMatchObject({ parallelism: 9, accounts_per_second: 50, max_refused: null });
    expect(await eventsOf(id)).toEqual(['bulk_job created supplier', 'bulk_job limits_set staff']);
  });

  test('21.6.4 is not created if 20 have not ended, however many are created at once', async () => {
    const request = { import_supplier: supplier.code, kind: 'STAGE' };
    const answers = await Promise.all(Array.from({ length: 25 }, () => supplier.post('bulk-jobs/', request)));
    const refused = answers.filter(({ status }) => status === 409);
    expect([answers.filter(({ status }) => status === 201).length, refused.length]).toEqual([20, 5]);
    expect(refused.map(({ body }) => body.code)).toEqual(Array(5).fill('bulk_storage_full'));
    const ended = answers.find(({ status }) => status === 201);
    await post(ended?.body.id, 'cancel');
    expect((await supplier.post('bulk-jobs/', request)).status).toBe(201);
  });
});

describe('a start', () => {
  test('21.3.3 plans a job, and takes what was announced at its word', async () => {
    const id = await createJob(supplier);
    await putPart(supplier, { id }, ndjson([line('A-1'), line('A-2')]));
    const { status, body } = await post(id, 'start', { run_mode: 'REHEARSAL', parts: 1, lines: 2 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: 'PLANNING', run: 1, run_mode: 'REHEARSAL', lines: 2, files_expire_at: null });
    expect(body.counts).toMatchObject({ created: 0, waiting: 2 });
    expect(await rowOf(id)).toMatchObject({ state: 'PLANNING', run: 1, run_mode: 'REHEARSAL', lines: 2 });
    expect(await eventsOf(id)).toEqual(['bulk_job created supplier', 'bulk_job started supplier']);
  });

  test('21.3.4 is refused of an upload with missing parts, which are named, and of one that is not as announced', async () => {
    const id = await createJob(supplier);
    const put = (number: number) => putPart(supplier, { id, number }, ndjson([line(`A-${number}`)]));
    const refused = async (announced = {}): Promise<string> => {
      const answer = await post(id, 'start', { run_mode: 'REAL', ...announced });
      expect(codeOf(answer)).toEqual([409, 'bulk_parts_missing']);
      return answer.body.detail;
    };
    await refused();
    for (const number of [2, 5]) await put(number);
    expect(await refused()).toContain('1, 3, 4');
    expect(await readJob(supplier, id)).toMatchObject({ parts: 2, missing_parts: [1, 3, 4], lines: 2 });
    for (const number of [1, 3, 4]) await put(number);
    for (const announced of [{ parts: 6 }, { lines: 4 }]) await refused(announced);
    expect(await rowOf(id)).toMatchObject({ state: 'OPEN', run: 0 });
  });

  test('21.3.5 is possible again after a rehearsal', async () => {
    const id = await started();
    await setState(service.database, id, 'REHEARSED');
    expect((await post(id, 'start', { run_mode: 'REAL' })).body).toMatchObject({ state: 'PLANNING', run: 2 });
  });

  test('21.3.5 beside a cancellation ends in one of the two states, and both are told which', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await createJob(supplier);
      await putPart(supplier, { id }, ndjson([line('A-1')]));
      const [start, cancel] = await Promise.all([post(id, 'start', { run_mode: 'REAL' }), post(id, 'cancel')]);
      expect(cancel.status).toBe(200);
      expect([200, 409]).toContain(start.status);
      expect((await rowOf(id)).state).toBe('CANCELLED');
    }
  });
});

const CHANGES = ['start', 'pause', 'resume', 'cancel'] as const;
const ALLOWED: Record<string, readonly string[]> = {
  OPEN: ['start', 'cancel'],
  PLANNING: ['cancel'],
  RUNNING: ['pause', 'resume', 'cancel'],
  PAUSED: ['pause', 'resume', 'cancel'],
  REHEARSED: ['start', 'cancel'],
  FINISHED: [],
  CANCELLED: ['cancel'],
};
const COLUMNS: Record<string, string> = {
  PAUSED: ", state_reason = 'too_many_refused', paused_at = now()",
  FINISHED: ', finished_at = now()',
  CANCELLED: ', finished_at = now()',
};

describe('states', () => {
  test.each(Object.entries(ALLOWED))(
    '21.3.6 a job that is %s allows %j, and stays as it is where it refuses another',
    async (state, allowed) => {
      const id = await started();
      for (const change of CHANGES) {
        await setState(service.database, id, state, COLUMNS[state] ?? ', state_reason = NULL, paused_at = NULL');
        const before = await rowOf(id);
        const answer = await post(id, change, change === 'start' ? { run_mode: 'REAL' } : {});
        if (allowed.includes(change)) {
          expect([change, answer.status]).toEqual([change, 200]);
          continue;
        }
        expect([change, ...codeOf(answer)]).toEqual([change, 409, 'bulk_job_state_not_allowed']);
        expect(answer.body.detail).toContain(state);
        expect(await rowOf(id)).toEqual(before);
      }
    },
  );

  test('21.3.7 27.1.1 a pause is asked for once, a resumed job continues, and others are told of both once', async () => {
    const id = await started();
    const paused = await post(id, 'pause');
    expect(paused.body).toMatchObject({ state: 'PAUSED', state_reason: 'asked' });
    expect((await post(id, 'pause')).body).toEqual(paused.body);
    expect((await post(id, 'resume')).body).toMatchObject({ state: 'RUNNING', state_reason: null, paused_at: null });
    expect(await eventsOf(id)).toEqual(
      ['created', 'started', 'paused', 'resumed'].map((action) => `bulk_job ${action} supplier`),
    );
    const { events } = await readAllEvents(supplier);
    const run = {
      import_supplier: supplier.code,
      job_id: id,
      run_mode: 'REAL',
      link: `/v1/data-import/bulk-jobs/${id}/`,
    };
    expect(events.map(({ type, data }) => [type, data])).toMatchObject([
      ['bulk_job.started', run],
      ['bulk_job.paused', { ...run, reason: 'asked' }],
      ['bulk_job.resumed', run],
    ]);
  });

  test('21.3.7 a job that is paused because of its import supplier does not continue by itself once it was paused', async () => {
    const id = await started();
    const reason = ", state_reason = 'import_supplier_not_ongoing', paused_at = now()";
    await setState(service.database, id, 'PAUSED', reason);
    expect((await post(id, 'pause')).body.state_reason).toBe('asked');
  });

  test('21.3.8 anyone who resumes a job with too many refused lines accepts them', async () => {
    const id = await started();
    await setState(service.database, id, 'PAUSED', COLUMNS.PAUSED);
    const { body } = await post(id, 'resume');
    expect(body.options).toMatchObject({ max_refused: null, max_refused_ratio: null, parallelism: 1 });
  });

  test('21.3.9 what a cancelled job has not done is not processed, and its files expire', async () => {
    const id = await started();
    const { body } = await post(id, 'cancel');
    expect(body).toMatchObject({ state: 'CANCELLED', counts: { not_processed: 1, waiting: 0 } });
    const days = (Date.parse(body.files_expire_at) - Date.parse(body.finished_at)) / 86_400_000;
    expect(days).toBe(30);
  });
});

describe('rights', () => {
  test('21.6.1 another organisation’s job answers as one that was never created, over every door', async () => {
    const id = await started();
    const foreign = await service.createSupplier();
    const [of, absent] = [`bulk-jobs/${id}/`, `bulk-jobs/${foreign.organisationId}/`];
    const before = await rowOf(id);
    for (const [method, path] of [
      ...['', 'errors/', 'results/', 'failed-rows/', 'unprocessed-rows/'].map((file) => ['GET', file] as const),
      ...CHANGES.map((change) => ['POST', `${change}/`] as const),
    ]) {
      const init =
        method === 'GET'
          ? {}
          : { method, body: '{"run_mode":"REAL"}', headers: { 'Content-Type': 'application/json' } };
      const [theirs, none] = [await fileCall(foreign, of + path, init), await fileCall(foreign, absent + path, init)];
      expect([path, theirs.status, theirs.body]).toEqual([path, 404, none.body]);
      expect(theirs.body.code).toBe('bulk_job_does_not_exist');
    }
    await expect(foreign.trpc.dataImport.bulkJob.query({ job_id: id })).rejects.toThrow('no bulk job with this id');
    const listed = await foreign.get(`bulk-jobs/?import_supplier=${supplier.code}`);
    expect(codeOf(listed)).toEqual([404, 'import_supplier_does_not_exist']);
    expect(await rowOf(id)).toEqual(before);
  });

  test('21.6.2 staff may do all of it for any import supplier', async () => {
    const { dataImport } = service.staff;
    const { id } = await dataImport.createBulkJob.mutate({ import_supplier: supplier.code, kind: 'STAGE' });
    await putPart(supplier, { id }, ndjson([line('A-1')]));
    expect(await dataImport.startBulkJob.mutate({ job_id: id, run_mode: 'REAL' })).toMatchObject({ state: 'PLANNING' });
    expect(await dataImport.cancelBulkJob.mutate({ job_id: id })).toMatchObject({ state: 'CANCELLED' });
    expect(await supplier.trpc.dataImport.bulkJob.query({ job_id: id })).toMatchObject({ state: 'CANCELLED' });
  });

  test('21.6.2 what staff are shown of the lines is in the trail, what the organisation reads is not', async () => {
    const id = await started();
    const token = await obtainToken(service.url, service.staffApiKey);
    const rows = `bulk-jobs/${id}/unprocessed-rows/`;
    expect((await fileCall(supplier, rows)).text).toContain('A-1');
    expect(await eventsOf(id)).not.toContain('bulk_job rows_viewed staff');
    expect((await fileCall({ url: service.url, token }, rows)).text).toContain('A-1');
    expect(await eventsOf(id)).toContain('bulk_job rows_viewed staff');
    const trail = await service.staff.audit.list.query({ subject: 'bulk_job', id });
    expect(trail.map(({ action }) => action)).toEqual(['created', 'started', 'rows_viewed']);
  });

  test('21.6.5 an organisation reads its own import suppliers, with their status and settings', async () => {
    const sibling = await service.createSupplier({ of: supplier, country: 'SE' });
    await service.staff.importSuppliers.setStatus.mutate({ code: sibling.code, status: 'PAUSED' });
    const { body } = await supplier.get('import-suppliers/');
    expect(body.map(({ code }: { code: string }) => code)).toEqual([supplier.code, sibling.code].sort());
    const one = await supplier.get(`import-suppliers/${sibling.code}/`);
    expect(one.body).toMatchObject({ status: 'PAUSED', country: 'SE', time_zone: 'UTC', bulk_parallelism: 2 });
    const page = await supplier.get('import-suppliers/?limit=1');
    expect(page.headers.get('link')).toContain('rel="next"');
    const foreign = await service.createSupplier();
    expect((await foreign.get(`import-suppliers/${sibling.code}/`)).status).toBe(404);
  });
});

describe('the list of jobs', () => {
  test('21.5.1 has every job of the import supplier once, oldest first, page after page', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push(await createJob(supplier));
    const whole = await supplier.get(`bulk-jobs/?import_supplier=${supplier.code}`);
    expect(whole.body.map(({ id }: { id: string }) => id)).toEqual(ids);
    const pages = await followPages(supplier, `bulk-jobs/?import_supplier=${supplier.code}&limit=2`);
    expect(pages.flat().map(({ id }) => id)).toEqual(ids);
    const foreign = await service.createSupplier();
    const other = await createJob(foreign);
    const wrong = await supplier.get(`bulk-jobs/?import_supplier=${supplier.code}&after=${other}`);
    expect(codeOf(wrong)).toEqual([400, 'request_failed_validation']);
  });

  test.each(['%00', 'NO-SUCH%00'])(
    '10.3 an import supplier %s in the query is refused by its field, and never a failure',
    async (code) => {
      const { status, body } = await supplier.get(`bulk-jobs/?import_supplier=${code}`);
      const error = { attr: 'import_supplier', code: 'invalid_characters', detail: 'Must not contain NUL characters.' };
      expect([status, body.code, body.errors]).toEqual([400, 'request_failed_validation', [error]]);
    },
  );
});
