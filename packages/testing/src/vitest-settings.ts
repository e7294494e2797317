import path from 'node:path';

/** What vitest is told in every package. */
export const EVERY_PACKAGE = {
  include: ['test/**/*.test.ts'],
  setupFiles: ['fix-draws.ts', 'tell-waits.ts'].map((file) => path.join(import.meta.dirname, file)),
  // Test files share their imports, which take longer than most of the tests.
  isolate: false,
  // No test depends on time: on a busy machine it takes as long as it takes. What takes a minute is told,
  // and what takes ten hangs.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 600_000 } },
  // CI tries a test that failed once more, and names it: a machine's bad moment does not hide what else is wrong.
  retry: process.env.CI ? 1 : 0,
};
