import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Test files share their imports, which take longer than most of the tests.
    isolate: false,
    // No test depends on time: on a busy machine it takes as long as it takes, and what takes ten minutes hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    include: ['test/**/*.test.ts'],
    setupFiles: ['../testing/src/fix-draws.ts'],
  },
});
