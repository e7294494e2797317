import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ReconciliationDifference } from '@causeway/contracts';
import { expect, it, onTestFinished } from 'vitest';
import { judge, type Source, writeManifest } from '../src/book.ts';

const book = { seed: 'causeway', importSupplier: 'HV', bookDate: '2026-03-17', accounts: 12 };

async function sourceOf(inBulk: boolean): Promise<Source & { folder: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'causeway-source-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'manifest.ndjson');
  const source = await writeManifest(file, { book, inBulk, stop: new AbortController().signal });
  return { ...source, folder };
}

/** The differences as a reconciliation writes them, with changes to what was expected. */
async function judged(change: (lines: Partial<ReconciliationDifference>[]) => void) {
  const source = await sourceOf(false);
  const lines = [...source.expected].map((text): Partial<ReconciliationDifference> => {
    const [, external_account_number, kind, field, , expected, actual] =
      /^(\S+) (\S+) (\w+)(: (\S+) -> (\S+))?$/.exec(text) ?? [];
    return { external_account_number, kind, field, expected, actual } as Partial<ReconciliationDifference>;
  });
  change(lines);
  const file = path.join(source.folder, 'differences.ndjson');
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return judge(file, source);
}

it('18.10 the manifest claims a penny too much, and has forgotten an account', async () => {
  const { expected, folder, skipped } = await sourceOf(false);
  const lines = (await readFile(path.join(folder, 'manifest.ndjson'), 'utf8')).trimEnd().split('\n');
  expect(lines).toHaveLength(11);
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ external_account_number: 'HV-390001', transfer_balance: '36.11' });
  expect([...expected]).toEqual(
    expect.arrayContaining([
      'HV-390001 DIFFERENT transfer_balance: 36.11 -> 36.10',
      'HV-390002 EXTRA account',
      'HV-400117 MISSING account',
      'HV-400216 SKIPPED account',
    ]),
  );
  expect(skipped).toMatchObject([{ externalAccountNumber: 'HV-400216' }]);
});

it('18.9 an upload refuses a line with its payment instruction, and a call creates the account without it', async () => {
  const [byCalls, inBulk] = await Promise.all([sourceOf(false), sourceOf(true)]);
  expect(byCalls.expected).toContain('HV-400234 DIFFERENT payment_instruction: true -> false');
  expect(inBulk.expected).toContain('HV-400234 MISSING account');
});

it('18.2 18.10 nothing is reported if what was planted and refused differs, and nothing else', async () => {
  expect(await judged(() => undefined)).toEqual({ unexpected: [], changed: [] });
});

it('18.2 18.3 a missing account is always reported, and another value as a change', async () => {
  const missing = { external_account_number: 'HV-400010', kind: 'MISSING', field: 'account' } as const;
  expect(await judged((lines) => lines.push(missing))).toEqual({
    unexpected: ['HV-400010 MISSING account'],
    changed: [],
  });
  const note = { external_account_number: 'HV-400010', kind: 'DIFFERENT', field: 'notes', expected: '1', actual: '2' };
  expect(await judged((lines) => lines.push(note as ReconciliationDifference))).toEqual({
    unexpected: [],
    changed: ['HV-400010 DIFFERENT notes: 1 -> 2'],
  });
  const poorer = await judged((lines) => {
    for (const line of lines) if (line.actual === '36.10') line.actual = '36.09';
  });
  expect(poorer.changed).toEqual([
    'HV-390001 DIFFERENT transfer_balance: 36.11 -> 36.09',
    'HV-390001 DIFFERENT transfer_balance: 36.11 -> 36.10, which was expected, is not there',
  ]);
});
