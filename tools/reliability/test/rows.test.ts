import { canMountDisk, createRandom, hasPgBouncer, SERVICE_PROGRAM } from '@causeway/testing';
import { expect, test } from 'vitest';
import { brokenPromises } from '../src/scenario.ts';
import { upgradeAndRollBack } from '../src/scenarios/beside-the-previous.ts';
import { runBuilt } from '../src/scenarios/run-built.ts';
import { moveOn, OLDER_VERSIONS, programsHere } from '../src/scenarios/work-on-every-version.ts';
import { SCENARIOS } from '../src/scenarios.ts';

/** Rows that some machines cannot run. */
const IS_POSSIBLE: Record<number, () => boolean> = { 15: canMountDisk, 17: () => hasPgBouncer };

for (const scenario of SCENARIOS) {
  const { row, title, short } = scenario;
  if (short === undefined) continue;
  test.skipIf(IS_POSSIBLE[row]?.() === false)(`reliability ${row}: ${title}`, async () => {
    expect(await brokenPromises(scenario, short)).toEqual([]);
  });
}

// Only root can run the service as another user.
test.skipIf(process.getuid?.() !== 0)(
  '16.2.5 the production folder moves accounts as a user without rights, where nothing can be written (row 20)',
  async () => {
    expect(await brokenPromises(runBuilt, 2)).toEqual([]);
  },
);

const HERE = OLDER_VERSIONS.flatMap((version) => programsHere(version) ?? []).slice(0, 1);

test.skipIf(HERE.length === 0)('reliability 21: the oldest PostgreSQL that is on this machine', async () => {
  const { claims } = await moveOn(HERE[0], 1, createRandom(20));
  expect(claims.filter(({ holds }) => !holds)).toEqual([]);
});

test('reliability 24: an upgrade and a rollback with both versions on one database', async () => {
  // To itself, as if nothing had changed: an install of the previous version takes minutes.
  const { claims } = await upgradeAndRollBack(SERVICE_PROGRAM, 1, createRandom(24));
  expect(claims.filter(({ holds }) => !holds)).toEqual([]);
});
