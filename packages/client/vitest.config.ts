import { defineConfig } from 'vitest/config';
// @boundaries-ignore the settings of all packages, also of those that do not know this one
import { EVERY_PACKAGE } from '../testing/src/vitest-settings.ts';

export default defineConfig({
  test: {
    ...EVERY_PACKAGE,
    globalSetup: ['../testing/src/global-setup.ts', '../testing/src/shared-service.ts'],
  },
});
