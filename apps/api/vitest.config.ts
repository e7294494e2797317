import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['../../packages/testing/src/global-setup.ts'],
    // Loaded by vitest, graphql would exist twice (its ES module and its CommonJS build), which it refuses to work with.
    server: { deps: { inline: [/graphql/] } },
  },
});
