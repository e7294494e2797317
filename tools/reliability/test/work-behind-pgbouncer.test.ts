import { hasPgBouncer } from '@causeway/testing';
import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { workBehindPgBouncer } from '../src/scenarios/work-behind-pgbouncer.ts';

test.skipIf(!hasPgBouncer)(
  'reliability 17 moves accounts behind PgBouncer, in transaction mode and in session mode',
  async () => {
    expect(await brokenPromises(workBehindPgBouncer, 1)).toEqual([]);
  },
);
