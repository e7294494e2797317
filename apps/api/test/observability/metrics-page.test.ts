import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { allMetrics } from './all-metrics.ts';

const PAGE = path.resolve(import.meta.dirname, '../../../../docs/metrics.md');

test('16.9.6 the page lists every metric with its type, labels and meaning, and nothing else', async () => {
  const rows = readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.replaceAll(/ +/g, ' '));
  const labels = (names: string[]) => names.map((name) => `\`${name}\``).join(', ');
  const expected = (await allMetrics()).map(({ name, type, labelNames, help }) => {
    return `| \`${name}\` | ${type} | ${labels(labelNames)} | ${help} |`.replaceAll(/ +/g, ' ');
  });
  // Other systems tell less of a process.
  const isListed = (row: string) => process.platform === 'linux' || row.includes('causeway_');
  expect(rows.filter(isListed).sort()).toEqual(expected.filter(isListed).sort());
});

test('16.9.6 each name of our own begins with causeway_ and says its unit', async () => {
  for (const { name, type } of await allMetrics()) {
    expect(name).toMatch(/^(?:causeway|process|nodejs)_[a-z0-9_]+$/);
    if (!name.startsWith('causeway_')) continue;
    expect([name, type === 'counter']).toEqual([name, name.endsWith('_total')]);
    expect([name, type === 'histogram']).toEqual([name, name.endsWith('_duration_seconds')]);
  }
});
