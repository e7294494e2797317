import path from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const FOLDER = path.resolve(import.meta.dirname, '..');
const REPOSITORY = path.resolve(FOLDER, '../..');

async function bundle() {
  const result = await build({
    absWorkingDir: FOLDER,
    entryPoints: ['src/index.ts'],
    bundle: true,
    // A browser has no module of Node's: one that is imported fails the build.
    platform: 'browser',
    format: 'esm',
    minify: true,
    write: false,
    metafile: true,
  });
  const [output] = Object.values(result.metafile.outputs);
  const inputs = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return { inputs: inputs.map(([input]) => input), text: result.outputFiles[0]?.text ?? '' };
}

/** The package that a bundled file belongs to, or its folder in this repository. */
function originOf(input: string): string {
  const installed = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
  return installed ?? path.dirname(path.relative(REPOSITORY, path.join(FOLDER, input)));
}

test('19.1 a bundle of the client holds clients’ code, tRPC’s and a queue, and nothing of the server', async () => {
  const { inputs, text } = await bundle();
  const ours = ['packages/client/src', 'packages/rest-client/src'];
  expect([...new Set(inputs.map(originOf))].sort()).toEqual([
    '@trpc/client',
    '@trpc/server',
    'p-limit',
    ...ours,
    'yocto-queue',
  ]);
  expect(text).not.toMatch(/SELECT |INSERT INTO/);
});

test('19.1 of tRPC’s server the bundle holds only what its client shares with it', async () => {
  const { inputs } = await bundle();
  const shared = inputs.filter((input) => originOf(input) === '@trpc/server').map((input) => path.basename(input));
  expect(shared.length).toBeGreaterThan(0);
  expect(shared.filter((name) => /initTRPC|resolveResponse|router|adapter|http/i.test(name))).toEqual([]);
});
