import { zstdDecompressSync } from 'node:zlib';
import { type BookSettings, readBookLine } from '@causeway/book';
import { NEEDED_SETTINGS, sampleAccounts } from '@causeway/realistic-books';
import { expect, it } from 'vitest';
import { bookParts } from '../../src/bulk/book-parts.ts';

const OPTIONS = { seed: 'causeway', importSupplier: 'HV', teamName: 'T', bookDate: '2026-03-17', accounts: 200 };
const SETTINGS: BookSettings = {
  importSupplier: {
    code: 'HV',
    country: 'GB',
    undocumented_fields: 'REJECT',
    empty_means_omitted: false,
    statement_amount_unit: 'MAJOR',
    ...NEEDED_SETTINGS,
  },
  today: '2026-03-17',
  maxLineBytes: 1_000_000,
  paymentVendors: new Set(['SANDBOX']),
  importOptions: { check_previously_added: true, force_add_to_current_statement: true },
};

const linesOf = (packed: Uint8Array) => zstdDecompressSync(packed).toString().trimEnd().split('\n');

it('18.9 has a line for each account, in its order, which is refused for its fault alone', () => {
  const [part, ...others] = [...bookParts(sampleAccounts(OPTIONS))];
  expect(others).toEqual([]);
  const lines = linesOf(part?.packed ?? new Uint8Array());
  expect(part).toMatchObject({ number: 1, lines: lines.length });
  for (const account of sampleAccounts(OPTIONS)) {
    const read = readBookLine(Buffer.from(lines.shift() ?? ''), SETTINGS);
    const { externalAccountNumber, expectedRefusal: expected } = account;
    if ('line' in read) {
      expect(read.line.external_account_number).toBe(externalAccountNumber);
      expect(expected ?? 'account_import_process_skipped').toMatch(/^(?:account_import_process|operations_team)/);
    } else {
      expect(read.refusal.errors.map(({ code }) => code)).toEqual([expected]);
    }
  }
  expect(lines).toEqual([]);
});

it('18.9 cuts a larger book into parts of 5,000 lines', () => {
  const [account] = sampleAccounts({ ...OPTIONS, accounts: 1 });
  if (account === undefined) throw new Error('The book is empty');
  const parts = [...bookParts(Array.from({ length: 10_001 }, () => account))];
  expect(parts.map(({ number, lines }) => [number, lines])).toEqual([
    [1, 5_000],
    [2, 5_000],
    [3, 1],
  ]);
  expect(parts.map(({ packed }) => linesOf(packed).length)).toEqual([5_000, 5_000, 1]);
});
