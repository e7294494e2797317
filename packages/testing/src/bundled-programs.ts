import path from 'node:path';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

/** Where `pnpm test` bundles the programs that tests start. Below apps/api, some of whose packages are found by name. */
export const BUNDLED_PROGRAMS = path.join(REPOSITORY, 'apps/api/node_modules/.cache/bundled-programs');

/**
 * The programs of the repository that tests start as processes or threads. From their sources, each start takes a
 * second of the processor more.
 */
export const PROGRAMS = [
  'apps/api/src/bulk/part-thread.ts',
  'apps/api/src/bulk/thread.ts',
  'apps/api/src/emails/render-thread.ts',
  'apps/api/src/main.ts',
  'apps/api/src/migrate/main.ts',
  'apps/api/src/service.ts',
  'apps/api/src/worker/main.ts',
  'apps/cli/src/main.ts',
  'apps/demo/src/main.ts',
  'packages/runner/test/fixtures/run-lanes.ts',
] as const;

/**
 * The file to run as one of these programs: in a run of all tests, as the variable BUNDLED_PROGRAMS says, the bundled
 * one; otherwise its sources, which need no step before.
 */
export function fileOfProgram(program: (typeof PROGRAMS)[number]): string {
  const { BUNDLED_PROGRAMS: folder } = process.env;
  if (folder === undefined) return path.join(REPOSITORY, program);
  return path.join(folder, program.replace(/ts$/, 'js'));
}
