import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { documentText } from '../../src/openapi/document.ts';

const API = path.resolve(import.meta.dirname, '../..');
const REDOCLY = fileURLToPath(new URL('bin/cli.js', import.meta.resolve('@redocly/cli/package.json')));

test('7 redocly finds nothing to complain about', async () => {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'causeway-document-')), 'openapi.json');
  await writeFile(file, documentText());
  const command = [REDOCLY, 'lint', '--config', 'redocly.yaml', '--format', 'json', file];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: API, env }).catch((error) => error);
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
});
