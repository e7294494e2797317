import { execFile } from 'node:child_process';
import { readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { fileOfProgram } from '@causeway/testing';
import { expect, it } from 'vitest';
import { temporaryFolder } from './support/causeway.ts';

it('25.1.10 files and folders that a command writes are readable by its user alone', async () => {
  const directory = await temporaryFolder();
  const rows = ['external_account_number,import_supplier,billing_name', 'HV-1,A,Zoë Okafor', 'HV-2,A,NULL'];
  await writeFile(path.join(directory, 'accounts.csv'), `${rows.join('\n')}\n`);
  // As most machines have it: what is written is readable by everybody.
  const causeway = (...words: string[]) =>
    promisify(execFile)(
      'sh',
      ['-c', 'umask 022; exec "$@"', 'sh', process.execPath, fileOfProgram('apps/cli/src/main.ts'), ...words],
      {
        cwd: directory,
      },
    ).catch(({ code }) => expect(code).toBe(3));
  await causeway('convert', '--accounts', 'accounts.csv', '-o', 'book.ndjson');
  await causeway('validate', 'book.ndjson', '--supplier', 'A');
  await causeway('map', 'accounts.csv');
  await causeway('map', 'check', 'mapping.sql', 'accounts.csv');
  const written = (await readdir(directory, { recursive: true })).filter((name) => name !== 'accounts.csv').sort();
  expect(written).toEqual([
    ...['book.ndjson', 'book.ndjson.rejected', 'book.ndjson.rejected/accounts.csv', 'book.ndjson.validated'],
    ...['failed', 'results'].map((name) => `book.ndjson.validated/${name}.ndjson`),
    ...['book.ndjson.validated/summary.json', 'mapping.preview.ndjson', 'mapping.sql'],
  ]);
  const modes = written.map(async (name) => [name, (await stat(path.join(directory, name))).mode & 0o077]);
  expect(await Promise.all(modes)).toEqual(written.map((name) => [name, 0]));
});
