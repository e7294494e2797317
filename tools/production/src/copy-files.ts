import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildIfChanged } from '@causeway/console/build';
import { CODE_FOLDER } from './keep-places.ts';

/** What the code reads at run time, and what its messages refer to; each at its place in the repository. */
const FILES = [
  'apps/api/src/openapi/guide.md',
  'apps/api/src/openapi/mend-reference.js',
  'apps/api/src/openapi/page.css',
  'apps/api/src/openapi/reference.css',
  'apps/api/src/openapi/start.html',
  'prisma/schema.prisma',
  'prisma/migrations',
  'docs/behaviour.md',
  'docs/constraints.md',
];

/** Of the console: not which sources it was made of. */
const CONSOLE_FILES = ['index.html', 'assets'];

/** The commands of the folder, each in a file of `service`. */
const COMMANDS = ['main', 'migrate', 'worker'];

/** What the sources are written for. */
export const NODE_MAJOR = 26;

const REFERENCE = '@scalar/api-reference';

/** All of the production folder but the bundled code. */
export async function copyFiles(repository: string, target: string): Promise<void> {
  for (const file of FILES) await cp(path.join(repository, file), path.join(target, file), { recursive: true });
  await writeDocument(repository, target);
  await copyReference(repository, target);
  await copyConsole(target);
  await writeCommands(target);
}

/** The published document, for anyone who generates a client from a release. */
async function writeDocument(repository: string, target: string): Promise<void> {
  const program = path.join(repository, 'apps/api/src/openapi/write-document.ts');
  await promisify(execFile)(process.execPath, [program, path.join(target, 'apps/api/openapi.json')]);
}

async function copyConsole(target: string): Promise<void> {
  const built = await buildIfChanged();
  for (const file of CONSOLE_FILES) {
    await cp(path.join(built, file), path.join(target, 'apps/console/dist', file), { recursive: true });
  }
}

/** Each says so, in place of an error of the language, if an older Node runs it. */
export async function writeCommands(target: string): Promise<void> {
  for (const name of COMMANDS) {
    const text = `if (Number.parseInt(process.versions.node) < ${NODE_MAJOR}) {
  process.stderr.write(\`Causeway needs Node ${NODE_MAJOR}: this is \${process.versions.node}.\\n\`);
  process.exit(1);
}
await import('./${CODE_FOLDER}/${name}.js');
`;
    await writeFile(path.join(target, `${name}.js`), text);
  }
}

/** The reference page is one file of its package, which is found by its package.json. */
async function copyReference(repository: string, target: string): Promise<void> {
  const entry = createRequire(path.join(repository, 'apps/api/package.json')).resolve(REFERENCE);
  const source = path.resolve(path.dirname(entry), '..');
  const destination = path.join(target, 'node_modules', REFERENCE);
  await mkdir(path.join(destination, 'dist/browser'), { recursive: true });
  for (const file of ['package.json', 'dist/index.js', 'dist/browser/standalone.js']) {
    await cp(path.join(source, file), path.join(destination, file));
  }
}
