import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // No test is about time: on a busy machine it takes as long as it takes.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    include: ['test/**/*.test.ts'],
  },
});
