import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

// Does nothing, silently, if the client exists already, so that every script that checks types or runs tests can begin with it.
const prisma = createRequire(import.meta.url).resolve('prisma/package.json');
const schema = path.resolve(import.meta.dirname, '../../../prisma/schema.prisma');
const generated = path.resolve(import.meta.dirname, 'generated');
const stamp = path.join(generated, 'made-from.txt');
const madeFrom = createHash('sha256').update(readFileSync(schema)).update(readFileSync(prisma)).digest('hex');

const isThere = existsSync(path.join(generated, 'client.ts')) && existsSync(stamp);
if (!isThere || readFileSync(stamp, 'utf8') !== madeFrom) {
  process.exitCode = generate();
  if (process.exitCode === 0) writeFileSync(stamp, madeFrom);
}

function generate(): number {
  const commandLine = path.resolve(path.dirname(prisma), 'build/index.js');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [commandLine, 'generate', '--schema', schema, '--no-hints'],
    {
      env: {
        ...process.env,
        // The CLI downloads a native schema engine unless it is told where one is. `generate` never runs it (the
        // generator is WebAssembly), so any executable will do.
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        CHECKPOINT_DISABLE: '1',
      },
      encoding: 'utf8',
    },
  );
  if (status !== 0) process.stderr.write(`${stdout}${stderr}`);
  return status ?? 1;
}
