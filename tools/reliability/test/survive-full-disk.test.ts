import { expect, test } from 'vitest';
import { canMountSmallDisk } from '../src/rig/small-disk.ts';
import { brokenPromises } from '../src/run-scenario.ts';
import { surviveFullDisk } from '../src/scenarios/survive-full-disk.ts';

const canMount = await canMountSmallDisk();

test.skipIf(!canMount)(
  'reliability 15 answers 503 while the disk is full, half-writes nothing, and comes back when there is room',
  async () => {
    expect(await brokenPromises(surviveFullDisk, 1)).toEqual([]);
  },
);
