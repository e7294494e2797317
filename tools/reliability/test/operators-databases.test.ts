import { createRandom, SERVICE_PROGRAM } from '@causeway/testing';
import { expect, test } from 'vitest';
import { OLDER_VERSIONS, programsHere } from '../src/rig/server-programs.ts';
import { brokenPromises } from '../src/run-scenario.ts';
import { upgradeAndRollBack } from '../src/scenarios/beside-the-previous.ts';
import { restoreToATime } from '../src/scenarios/restore-to-a-time.ts';
import { survivePromotion } from '../src/scenarios/survive-promotion.ts';
import { moveOn } from '../src/scenarios/work-on-every-version.ts';

const HERE = OLDER_VERSIONS.flatMap((version) => programsHere(version) ?? []).slice(0, 1);

test.skipIf(HERE.length === 0)(
  'reliability 21 moves accounts on the oldest PostgreSQL that is on this machine',
  async () => {
    const { claims } = await moveOn(HERE[0], 1, createRandom(20));
    expect(claims.filter(({ holds }) => !holds)).toEqual([]);
  },
);

test('reliability 22 loses no acknowledged write when its synchronous standby is promoted', async () => {
  expect(await brokenPromises(survivePromotion, 1)).toEqual([]);
});

test('reliability 23 is restored to the time before a mistake, every sum equal', async () => {
  expect(await brokenPromises(restoreToATime, 1)).toEqual([]);
});

test('reliability 24 loses nothing in an upgrade and a rollback with both versions on one database', async () => {
  // To itself, as if nothing had changed: an install of the previous version takes minutes.
  const { claims } = await upgradeAndRollBack(SERVICE_PROGRAM, 1, createRandom(24));
  expect(claims.filter(({ holds }) => !holds)).toEqual([]);
});
