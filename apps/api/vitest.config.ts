import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Files share what they import: to load the whole service anew for each of them took minutes.
    isolate: false,
    // No test depends on time, so a busy machine only makes the tests slower.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    include: ['test/**/*.test.ts'],
    globalSetup: ['../../packages/testing/src/global-setup.ts'],
    // Loaded by vitest, graphql would exist twice (its ES module and its CommonJS build), which it refuses to work
    // with.
    server: { deps: { inline: [/graphql/] } },
  },
});
