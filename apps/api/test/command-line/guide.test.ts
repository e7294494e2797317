import { expect, test } from 'vitest';
import { samplesOf, startGuideReader } from '../support/guide-reader.ts';

const reader = await startGuideReader();
// A manifest speaks for all accounts of its import supplier: each chapter has its own.
const legacyReader = await startGuideReader();

test('25.9.7 the samples of the guide lead from CSV files to a reconciled migration', async () => {
  const { stdout } = await reader.run(await samplesOf('From files to a reconciled migration'));
  expect(stdout).toContain('NORTHWIND-2026');
  const read = await reader.supplier.get('accounts/NORTHWIND-2026/NW-0003001/');
  expect(read.body).toMatchObject({ state: 'COMPLETED', figures: { transactions: { count: 1, sum: '76.54' } } });
  const [reconciliation] = (await reader.supplier.get('reconciliations/?import_supplier=NORTHWIND-2026')).body;
  expect(reconciliation).toMatchObject({ verdict: 'EQUAL' });
});

test('25.9.7 the samples of the guide lead from the files of three other systems to a reconciled migration', async () => {
  const { stdout } = await legacyReader.run(await samplesOf('From your files'));
  expect(stdout).toContain('12 accounts, 12 would be accepted, 0 refused');
  const read = await legacyReader.supplier.get('accounts/NORTHWIND-2026/00010023/');
  expect(read.body).toMatchObject({ state: 'COMPLETED', figures: { transactions: { count: 5, sum: '494.20' } } });
  const [reconciliation] = (await legacyReader.supplier.get('reconciliations/?import_supplier=NORTHWIND-2026')).body;
  expect(reconciliation).toMatchObject({ verdict: 'EQUAL' });
});
