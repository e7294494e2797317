import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeCommands } from '../src/copy-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'causeway-commands-'));
  await mkdir(path.join(folder, 'service'));
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(path.join(folder, 'service/main.js'), `process.stdout.write('served');`);
  await writeCommands(folder);
});
afterAll(() => rm(folder, { recursive: true }));

const run = (nodeVersion: string) => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${nodeVersion}' })`;
  const options = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, path.join(folder, 'main.js')];
  return promisify(execFile)(process.execPath, options);
};

test('16.2.5 a command of the production folder says in one sentence which Node it needs', async () => {
  await expect(run('20.20.2')).rejects.toMatchObject({
    ...{ code: 1, stdout: '', stderr: 'Causeway needs Node 26: this is 20.20.2.\n' },
  });
  expect(await run('26.10.0')).toMatchObject({ stdout: 'served' });
});
