import { defineConfig } from 'vitest/config';

// Nothing is asserted of time: a slow machine takes as long as it takes.
export default defineConfig({ test: { include: ['test/**/*.test.ts'], testTimeout: 0, hookTimeout: 0 } });
