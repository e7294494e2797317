import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createClient } from '@causeway/client';
import { StoredAccount } from '@causeway/contracts';
import { sampleBook } from '@causeway/realistic-books';
import { createRestClient } from '@causeway/rest-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changedLines, findMovedByHand, movedByHandLines } from '../src/moved-by-hand.ts';
import { DEMO } from '../src/set-up-supplier.ts';
import { createDemoRunner, type DemoRunner, outputOf } from './support/demo-runner.ts';

const ACCOUNTS = 12;

let runner: DemoRunner;
beforeAll(async () => {
  runner = await createDemoRunner(ACCOUNTS);
});
afterAll(() => runner.close());

/** Moves what the book has with a fault, corrected: a visitor does that with the key that the demo shows. */
async function moveByHand(output: string): Promise<string[]> {
  const { importSupplier, team: teamName } = DEMO;
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
  const [, apiKey = ''] = /supplier's API key {3}(\S+)/.exec(output) ?? [];
  const [, staffKeyFile = ''] = /staff API key +in (\S+)/.exec(output) ?? [];
  const client = createRestClient({ url, apiKey });
  const bookDate = new Date().toISOString().slice(0, 10);
  const book = { seed: 'causeway', importSupplier, teamName, accounts: ACCOUNTS, bookDate };
  const right = new Map(sampleBook({ ...book, isPlain: true }).map((one) => [one.externalAccountNumber, one.payload]));
  const staff = createClient({ url, apiKey: await readFile(staffKeyFile, 'utf8') });
  const moved: string[] = [];
  for (const { externalAccountNumber: number, expectedRefusal, skipReason } of sampleBook(book)) {
    if (expectedRefusal === undefined) continue;
    const key = { code: importSupplier, external_account_number: number };
    if (skipReason !== undefined) await staff.accountImports.unskip.mutate(key);
    await client.post('account-import-process/create-or-update/', right.get(number) ?? {});
    const process = { import_supplier_code: importSupplier, external_account_number: number };
    const answer = await client.post('account-import-process/process/', { ...process, operations_team_name: teamName });
    expect([number, answer.status]).toEqual([number, 201]);
    moved.push(number);
  }
  return moved;
}

it('18.3 leaves alone what was corrected and moved by hand since, says so, and is strict about the rest', async () => {
  const first = runner.start();
  const output = await outputOf(first, 'Serving until Ctrl-C');
  const moved = await moveByHand(output);
  const ended = once(first, 'close');
  first.kill('SIGINT');
  await ended;

  const second = runner.start();
  const again = await outputOf(second, 'Serving until Ctrl-C');
  expect(again).toContain('Serving until Ctrl-C');
  expect(again).toContain(
    `${moved.length} accounts of the book, such as ${moved[0]}, were changed since an earlier run, and have other content now.`,
  );
  expect(again).toMatch(
    /They stay as they are, and are not counted\. To begin again, end the demo and remove \/\S+\.\n/,
  );
  expect(again).toContain('everything was already there, nothing was doubled');
  expect(again).toContain('It adds up');
  expect(again).not.toContain('This should not have happened');
  const stopped = once(second, 'close');
  second.kill('SIGINT');
  await stopped;
});

/** What is found if every account of the book is stored, with so many instructions and transactions each. */
async function foundOf(
  inBulk: boolean,
  { instructions = 0, transactions = 0, state = 'COMPLETED' },
): Promise<string[]> {
  const [example] = (StoredAccount.meta()?.examples ?? []) as [StoredAccount];
  const { figures } = example;
  const held = {
    ...{ ...figures, payment_instructions: instructions },
    transactions: { ...figures.transactions, count: transactions },
  };
  const answer = { request: '', requestId: '', status: 200, body: { ...example, state, figures: held } };
  const client = { get: async () => answer, post: async () => answer };
  const look = { client, importSupplier: 'HV', inBulk, stop: new AbortController().signal };
  const book = { seed: 's', importSupplier: 'HV', teamName: 'T', bookDate: '2026-03-17', accounts: ACCOUNTS };
  const accounts = new Map(sampleBook(book).map((one) => [one.externalAccountNumber, one]));
  return [...(await findMovedByHand(look, accounts.values()))].map((number) => {
    const { expectedRefusal, expectedInstructionRefusal } = accounts.get(number) ?? {};
    return expectedRefusal ?? expectedInstructionRefusal ?? 'unmovable transactions';
  });
}

it('18.3 takes for moved by hand only what the book has with a fault, and is stored without', async () => {
  const refused = ['account_import_process_skipped', 'invalid_phone_number'];
  const byCalls = [...refused, 'operations_team_name_does_not_exist'];
  const instructions = ['payment_vendor_rejected', 'payment_vendor_unavailable'];
  const sorted = async (...of: Parameters<typeof foundOf>) => (await foundOf(...of)).sort();
  expect(await sorted(false, { state: 'STAGED' })).toEqual([]);
  expect(await sorted(false, {})).toEqual(byCalls);
  expect(await sorted(false, { instructions: 1 })).toEqual([...byCalls, ...instructions].sort());
  expect(await sorted(false, { transactions: 1 })).toEqual([...byCalls, 'unmovable transactions'].sort());
  // A line is refused with its instruction, one job has one team, and its dates may be moved.
  expect(await sorted(true, { instructions: 1, transactions: 1 })).toEqual(
    [...refused, 'payment_vendor_rejected'].sort(),
  );
});

it('18.3 says in a sentence what to remove to begin again', () => {
  expect(movedByHandLines(new Set(), 'remove /data')).toEqual([]);
  expect(movedByHandLines(new Set(['HV-1']), 'remove /data').join('\n')).toBe(
    '\n  1 account of the book, HV-1, was changed since an earlier run, and has other content now.\n' +
      '  It stays as it is, and is not counted. To begin again, end the demo and remove /data.',
  );
  expect(changedLines('remove /data').at(-1)).toBe('  To begin again, remove /data.');
});
