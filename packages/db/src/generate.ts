import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

// The CLI fetches a native schema engine from a host of its own unless it is told where one lies. `generate` never
// runs it (the generator is WebAssembly), so any executable will do.
const environment = {
  ...process.env,
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
};
const commandLine = createRequire(import.meta.url).resolve('prisma/build/index.js');
const schema = fileURLToPath(new URL('../../../prisma/schema.prisma', import.meta.url));

const { status } = spawnSync(process.execPath, [commandLine, 'generate', '--schema', schema, '--no-hints'], {
  env: environment,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
