import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    isolate: false,
    // No test depends on time: on a busy machine it takes as long as it takes, and what takes ten minutes hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    include: ['test/**/*.test.ts'],
    setupFiles: ['../../packages/testing/src/fix-draws.ts'],
    globalSetup: ['../../packages/testing/src/global-setup.ts', './test/support/shared-service.ts'],
  },
});
