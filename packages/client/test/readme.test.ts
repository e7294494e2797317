import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';

const PACKAGE = path.resolve(import.meta.dirname, '..');
const { url, staffApiKey: apiKey } = inject('sharedService');

test('19.5 the code of the README works as pasted, one block after the other', async () => {
  const readme = await readFile(path.join(PACKAGE, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
  const env = { PATH: process.env.PATH, CAUSEWAY_URL: url, STAFF_API_KEY: apiKey };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module-typescript', '--eval', blocks.join('\n')],
    { cwd: PACKAGE, env },
  );
  expect(stdout.trim().split('\n')).toEqual([
    'NORTHWIND-2026 is ONGOING',
    'refused: 400 import_supplier_does_not_exist',
    '200 answers',
    'STAGED, incomplete, 0 refusals',
  ]);
});
