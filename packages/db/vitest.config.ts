import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['../testing/src/global-setup.ts'],
    // Prisma's schema engine is WebAssembly, for which Node prints a warning.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // These tests start and kill servers while other packages' tests keep the machine busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
