import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Servers are started and killed here, while other packages' tests keep the machine busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
