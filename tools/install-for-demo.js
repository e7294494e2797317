import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// Before `pnpm demo`, by whatever Node there is: installs what the demo needs, which is half of everything. Where the
// tools of developers are installed already, it keeps them up to date instead of removing them.
const isDeveloper = existsSync('node_modules/vitest');
const ONLY = [
  '--prod',
  '--filter',
  'causeway',
  '--filter-prod',
  '@causeway/demo...',
  '--filter-prod',
  '@causeway/console...',
];
const { status } = spawnSync('pnpm', ['install', ...(isDeveloper ? [] : ONLY)], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
process.exitCode = status ?? 1;
