import { expect, test } from 'vitest';
import { samplesOf, startGuideReader } from '../support/guide-reader.ts';

const reader = await startGuideReader();

test('25.9.7 the samples of the guide lead from CSV files to a reconciled migration', async () => {
  const { stdout } = await reader.run(await samplesOf('From files to a reconciled migration'));
  expect(stdout).toContain('NORTHWIND-2026');
  const read = await reader.supplier.get('accounts/NORTHWIND-2026/NW-0003001/');
  expect(read.body).toMatchObject({ state: 'COMPLETED', figures: { transactions: { count: 1, sum: '76.54' } } });
  const [reconciliation] = (await reader.supplier.get('reconciliations/?import_supplier=NORTHWIND-2026')).body;
  expect(reconciliation).toMatchObject({ verdict: 'EQUAL' });
});
