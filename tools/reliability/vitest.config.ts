import { defineConfig } from 'vitest/config';

// Nothing is asserted of time: a slow machine takes as long as it takes. What takes ten minutes hangs.
const timeout = 600_000;
export default defineConfig({
  test: {
    // Test files share their imports, which take longer than some of the tests.
    isolate: false,
    include: ['test/**/*.test.ts'],
    testTimeout: timeout,
    hookTimeout: timeout,
  },
});
