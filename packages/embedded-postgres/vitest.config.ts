import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These tests start and kill servers while other packages' tests keep the machine busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
