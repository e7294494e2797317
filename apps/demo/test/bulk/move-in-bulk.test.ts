import { BulkJob, type ResultLine } from '@causeway/contracts';
import { decimalOf, penceOf, type SampleAccount, sampleBook, sumOf } from '@causeway/realistic-books';
import type { Answer } from '@causeway/rest-client';
import { expect, it } from 'vitest';
import { bulkSummaryLines } from '../../src/bulk/bulk-summary.ts';
import { bulkTallyOf } from '../../src/bulk/bulk-tally.ts';
import { expectedLineOf } from '../../src/bulk/expected-line.ts';
import { type EndedJob, moveInBulk } from '../../src/bulk/move-in-bulk.ts';

const OPTIONS = { seed: 's', importSupplier: 'HV', teamName: 'T', bookDate: '2026-03-17' };
const book = sampleBook({ ...OPTIONS, accounts: 12 });
const [example] = (BulkJob.meta()?.examples ?? []) as [BulkJob];
const noSums: BulkJob['sums'] = {
  ...{ transfer_balance_credit: '0.00', transfer_balance_debit: '0.00', transactions: {}, notes: 0, customers: 0 },
  ...{ statements: { count: 0, gross: '0.00' }, supply_points: 0, account_types: {} },
};
const noCounts = { created: 0, updated: 0, unchanged: 0, refused: 0, failed: 0, not_processed: 0, waiting: 0 };

function jobWith(changes: Partial<BulkJob>): BulkJob {
  return { ...example, lines: book.length, counts: noCounts, sums: noSums, ...changes };
}

/** Answers as the service does: the job's states one after the other, and these files. */
function service(states: readonly Partial<BulkJob>[], files: Record<string, string> = {}) {
  const calls: string[] = [];
  const left = [...states];
  const stop = new AbortController();
  const answer = (request: string, status: number, body: unknown): Answer => {
    calls.push(request);
    return { request, requestId: 'id-7', status, body };
  };
  const client = {
    post: async (path: string, body: object) =>
      answer(
        `POST ${path} ${'run_mode' in body ? JSON.stringify(body) : ''}`.trim(),
        path === 'bulk-jobs/' ? 201 : 200,
        {
          ...(path.startsWith('bulk-jobs/') ? jobWith({ state: 'OPEN' }) : {}),
        },
      ),
    put: async (path: string, bytes: Uint8Array, headers: Record<string, string>) =>
      answer(`PUT ${path} ${bytes.length > 0} ${headers['content-encoding']}`, 201, {}),
    get: async (path: string) => {
      const file = path.split('/').at(-2) ?? '';
      if (file === 'errors') return answer(`GET ${path}`, 200, []);
      if (file in files) return answer(`GET ${path}`, 200, files[file]);
      return answer(`GET ${path}`, 200, jobWith(left.length > 1 ? (left.shift() ?? {}) : (left[0] ?? {})));
    },
  };
  const skipped: string[] = [];
  const context = {
    client,
    importSupplier: 'HV',
    team: 'T',
    skipAccount: async (number: string) => void skipped.push(number),
    wait: async () => {},
    stop: stop.signal,
  };
  return { calls, skipped, stop, context };
}

const silent = { onUploaded: () => {}, onProgress: () => {} };

it('18.9 creates a job, puts its parts, starts it and looks at it until it has finished', async () => {
  const states: Partial<BulkJob>[] = [{ state: 'PLANNING' }, { state: 'RUNNING' }, { state: 'FINISHED' }];
  const { context, calls, skipped } = service(states, { results: '', 'failed-rows': '' });
  const seen: string[] = [];
  const ended = await moveInBulk(context, book, {
    onUploaded: ({ parts, lines }) => seen.push(`${parts} ${lines}`),
    onProgress: ({ state }) => seen.push(state),
  });
  expect(ended?.job.state).toBe('FINISHED');
  expect(seen).toEqual(['1 12', 'PLANNING', 'RUNNING', 'FINISHED']);
  const job = `bulk-jobs/${example.id}/`;
  expect(calls).toEqual([
    'POST bulk-jobs/',
    `PUT ${job}parts/1/ true zstd`,
    'POST account-import-process/create-or-update/',
    `POST ${job}start/ {"run_mode":"REAL","parts":1,"lines":12}`,
    ...[`GET ${job}`, `GET ${job}`, `GET ${job}`],
    ...['results', 'errors', 'failed-rows'].map((file) => `GET ${job}${file}/`),
  ]);
  expect(skipped).toEqual([book[5]?.externalAccountNumber]);
});

it('18.9 says why a job does not continue', async () => {
  const { context } = service([{ state: 'PAUSED', state_reason: 'too_many_refused' }]);
  await expect(moveInBulk(context, book, silent)).rejects.toThrow('the job is PAUSED: too_many_refused');
});

it('18.9 leaves the job to the service if it is stopped', async () => {
  const { context, stop } = service([{ state: 'RUNNING' }]);
  const moving = moveInBulk(context, book, { ...silent, onProgress: () => stop.abort() });
  expect(await moving).toBeUndefined();
});

/** What a service that does everything right says of the book. */
function ended(): EndedJob {
  const isExpected = ({ expectedRefusal, expectedInstructionRefusal: instruction }: SampleAccount) =>
    (expectedRefusal === undefined || expectedRefusal.startsWith('operations_team')) &&
    instruction !== 'payment_vendor_rejected';
  const created = book.filter(isExpected);
  const refused = book.filter((account) => !isExpected(account));
  const transactions = created.flatMap((account) => account.transactions);
  const byType = Map.groupBy(transactions, ({ type }) => type);
  const statements = created.flatMap((account) => account.statements);
  const balances = created.map(({ transferBalance }) => penceOf(transferBalance));
  const decimalSum = (amounts: readonly (number | string)[]) =>
    decimalOf(sumOf(amounts.map((amount) => penceOf(String(amount)))));
  const results = book.map((account, index): ResultLine => {
    const { externalAccountNumber: external_account_number, expectedRefusal, expectedInstructionRefusal } = account;
    const line = { line: index + 1, external_account_number };
    if (isExpected(account)) return { ...line, outcome: 'created' };
    const code = (expectedRefusal ?? expectedInstructionRefusal) as NonNullable<ResultLine['code']>;
    const errors = [{ detail: 'No.', code, attr: 'customers.0.landline' }];
    const isAccount = ['account_import_process_skipped', 'payment_vendor_rejected'].includes(code);
    return { ...line, outcome: 'refused', code: isAccount ? code : 'account_failed_validation', errors };
  });
  const job = jobWith({
    state: 'FINISHED',
    counts: { ...noCounts, created: created.length, refused: refused.length },
    sums: {
      ...noSums,
      transfer_balance_credit: decimalOf(sumOf(balances.filter((pence) => pence > 0))),
      transfer_balance_debit: decimalOf(sumOf(balances.filter((pence) => pence < 0))),
      transactions: Object.fromEntries(
        [...byType].map(([type, all]) => {
          return [type, { count: all.length, amount: decimalSum(all.map(({ amount }) => amount)) }];
        }),
      ),
      statements: { count: statements.length, gross: decimalSum(statements.flatMap((one) => one.gross_amount ?? [])) },
      notes: sumOf(created.map(({ notes }) => notes.length)),
    },
  });
  const failedRows = results
    .filter(({ outcome }) => outcome === 'refused')
    .map(({ line, code = 'internal_error', errors = [] }) => ({ line, code, errors, data: {} }));
  return { job, results, problems: [], failedRows };
}

it('18.9 finds that it adds up, to the penny, and shows what was refused', () => {
  const tally = bulkTallyOf(book.map(expectedLineOf), ended());
  expect(tally.unexpected).toEqual([]);
  const screen = { write: () => {}, isTerminal: false, paint: (_style: string, text: string) => text };
  const summary = bulkSummaryLines(tally, screen).join('\n');
  expect(summary).toContain('✓ It adds up');
  expect(summary).toContain('line 4  account_failed_validation: customers.0.landline invalid_phone_number');
  expect(summary.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

it('18.9 reports a penny that is missing, a line without outcome and one that was not refused', () => {
  const { job, results, ...files } = ended();
  const { statements } = job.sums;
  const gross = decimalOf(penceOf(statements.gross) - 1);
  const poorer = { ...job, sums: { ...job.sums, statements: { ...statements, gross } } };
  expect(bulkTallyOf(book.map(expectedLineOf), { ...files, results, job: poorer }).unexpected).toEqual([
    expect.stringContaining('Historical statements: '),
  ]);
  const without = bulkTallyOf(book.map(expectedLineOf), { ...files, job, results: results.slice(1) }).unexpected;
  expect(without).toContain(`${book[0]?.externalAccountNumber} has no outcome`);
  const lenient = results.map((result) => ({ ...result, outcome: 'created' as const, code: undefined }));
  const unexpected = bulkTallyOf(book.map(expectedLineOf), { ...files, job, results: lenient }).unexpected;
  expect(unexpected).toContain(`${book[3]?.externalAccountNumber}: created, expected was invalid_phone_number`);
});
