import { defineConfig } from 'vitest/config';

// Nothing is asserted of time: a slow machine takes as long as it takes.
export default defineConfig({
  // Most rows wait for something to time out or to come back: two at a time.
  test: { include: ['test/**/*.test.ts'], testTimeout: 0, hookTimeout: 0, maxWorkers: 2 },
});
