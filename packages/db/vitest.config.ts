import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['../testing/src/global-setup.ts'],
    // Prisma's schema engine is WebAssembly, of which Node warns.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Servers are started and killed here, while other packages' tests keep the machine busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
