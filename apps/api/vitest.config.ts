import { defineConfig } from 'vitest/config';
// @boundaries-ignore the settings of all packages, also of those that do not know this one
import { EVERY_PACKAGE } from '../../packages/testing/src/vitest-settings.ts';

export default defineConfig({
  test: {
    ...EVERY_PACKAGE,
    // Half of the time one alone waits for the database, or for a time limit to be over.
    maxWorkers: 2,
    globalSetup: ['../../packages/testing/src/global-setup.ts'],
    // Loaded by vitest, graphql would exist twice (its ES module and its CommonJS build), which it refuses to work
    // with.
    server: { deps: { inline: [/graphql/] } },
  },
});
