import { defineConfig } from 'vitest/config';
// @boundaries-ignore the settings of all packages, also of those that do not know this one
import { EVERY_PACKAGE } from '../../packages/testing/src/vitest-settings.ts';

export default defineConfig({
  test: {
    ...EVERY_PACKAGE,
    globalSetup: ['../../packages/testing/src/global-setup.ts', '../../packages/testing/src/shared-service.ts'],
    setupFiles: [...EVERY_PACKAGE.setupFiles, 'test/support/keep-v8-flags.ts'],
  },
});
