import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createDocument } from '../src/openapi/document.ts';
import { changesOf } from './changes.ts';
import { interfaceLines } from './lines.ts';
import { withSettings } from './settings.ts';

// node interface/main.ts: writes apps/api/interface.lock and the table of docs/settings.md, and says what has changed of the
// published interface.

const FILE = new URL('../interface.lock', import.meta.url);
const SETTINGS = new URL('../../../docs/settings.md', import.meta.url);

const before = existsSync(FILE) ? readFileSync(FILE, 'utf8').trimEnd().split('\n') : [];
const after = interfaceLines(createDocument());
writeFileSync(FILE, `${after.join('\n')}\n`);

const changes = changesOf(before, after);
for (const { line, isAdded, isAdditive } of changes) {
  process.stdout.write(`${isAdded ? '+' : '-'} ${line}${isAdditive ? '' : '   (breaks clients)'}\n`);
}
const breaking = changes.filter(({ isAdditive }) => !isAdditive).length;
process.stdout.write(
  `apps/api/interface.lock: ${after.length} lines, ${changes.length} changed, ${breaking} of them break clients\n`,
);
writeFileSync(SETTINGS, withSettings(readFileSync(SETTINGS, 'utf8')));
