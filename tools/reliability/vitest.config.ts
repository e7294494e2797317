import { defineConfig } from 'vitest/config';

// No assertion depends on time, so a slow machine only makes the tests slower.
export default defineConfig({ test: { include: ['test/**/*.test.ts'], testTimeout: 0, hookTimeout: 0 } });
