import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { runBuilt } from '../src/scenarios/run-built.ts';

const isRoot = process.getuid?.() === 0;

// Only root can run the service as another user.
test.skipIf(!isRoot)(
  '16.2.5 the production folder moves accounts as a user without rights, where nothing can be written (row 20)',
  async () => {
    expect(await brokenPromises(runBuilt, 2)).toEqual([]);
  },
);
