import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // No test depends on time, so a busy machine only makes the tests slower.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    include: ['test/**/*.test.ts'],
  },
});
