import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { type Change, changesOf } from '../../interface/changes.ts';
import { interfaceLines } from '../../interface/lines.ts';
import { documentText } from '../../src/openapi/document.ts';
import { publishedDocument } from '../support/published-document.ts';

const LOCK = new URL('../../interface.lock', import.meta.url);

const INTERFACE = interfaceLines(publishedDocument);

/** The published document, changed. */
function linesAfter(change: (document: ReturnType<typeof JSON.parse>) => void): Change[] {
  const document = structuredClone(publishedDocument);
  change(document);
  return changesOf(INTERFACE, interfaceLines(document));
}

test('9.3 interface.lock is the published interface: npx pnpm@12 document writes it', () => {
  expect(readFileSync(LOCK, 'utf8').trimEnd().split('\n')).toEqual(INTERFACE);
});

const NOTES = '/v1/data-import/notes/create/';
test.each<[string, (document: ReturnType<typeof JSON.parse>) => void, additive: boolean]>([
  [
    'a field that may be sent',
    ({ components: { schemas } }) => (schemas.Note.properties.colour = { type: 'string' }),
    true,
  ],
  [
    'a field that must be sent',
    ({ components: { schemas } }) => {
      schemas.Note.properties.colour = { type: 'string' };
      schemas.Note.required = [...(schemas.Note.required ?? []), 'colour'];
    },
    false,
  ],
  [
    'a field that is answered',
    ({ components: { schemas } }) => (schemas.BulkPart.properties.colour = { type: 'string' }),
    true,
  ],
  ['a field that is gone', ({ components: { schemas } }) => delete schemas.Note.properties.body, false],
  [
    'a field of another type',
    ({ components: { schemas } }) => (schemas.Note.properties.body = { type: 'integer' }),
    false,
  ],
  ['a shorter field', ({ components: { schemas } }) => (schemas.Note.properties.external_id.maxLength = 2), false],
  [
    'a code',
    ({ paths }) => (paths[NOTES].post.responses[400].content['application/json'].examples.no_colour = {}),
    true,
  ],
  ['a header', ({ paths }) => (paths[NOTES].post.responses[201].headers.Colour = {}), true],
  ['an operation that is gone', ({ paths }) => delete paths[NOTES], false],
  [
    'an operation',
    ({ paths }) => (paths['/v1/data-import/colours/'] = { get: { operationId: 'listColours', responses: {} } }),
    true,
  ],
  ['a text', ({ components: { schemas } }) => (schemas.Note.description = 'Another text.'), true],
])('9.2 %s: whether clients that were written before continue', (_what, change, isAdditive) => {
  const changes = linesAfter(change);
  expect(changes.every((each) => each.isAdditive)).toBe(isAdditive);
});

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
