import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Files share what they import: to load the whole service anew for each of them took minutes.
    isolate: false,
    // Half of the time one alone waits for the database, or for a time limit to be over.
    maxWorkers: 2,
    // No test depends on time: on a busy machine it takes as long as it takes, and what takes ten minutes hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    include: ['test/**/*.test.ts'],
    setupFiles: ['../../packages/testing/src/fix-draws.ts'],
    globalSetup: ['../../packages/testing/src/global-setup.ts'],
    // Loaded by vitest, graphql would exist twice (its ES module and its CommonJS build), which it refuses to work
    // with.
    server: { deps: { inline: [/graphql/] } },
  },
});
