import { HOSTILE_LOADS, type HostileLoadName } from '../hostile/loads.ts';
import { HEAD, tryLoad } from '../hostile/try-load.ts';
import { LIMITS_OF_PRODUCTION } from '../rig/start-world.ts';
import type { Claim, Outcome, Scenario } from '../scenario.ts';

const HANGING: HostileLoadName = 'a vendor that never answers';
const UNPACKED: HostileLoadName = 'parts that are large when they are unpacked';
const FULL_SECONDS = 12;
/** Loads that wait and do not compute: their effect on others is the same on a slow machine. */
const SHORT: readonly HostileLoadName[] = ['wrong API keys behind the same address', 'imports into one locked account'];
/** The small form does not test speed: a machine that is busy with other tests must not cause refusals. */
const AT_ANY_SPEED = { MAX_EVENT_LOOP_DELAY_MS: '60000', MAX_EXPECTED_WAIT_MS: '60000' };
/** Small limits, so that the small form does not need a thousand calls. */
const FEW_AT_WORK = { MAX_REQUESTS_AT_WORK: '50' };

/**
 * One organisation's payment instructions wait for a vendor that never answers; another organisation must not be
 * affected.
 */
export const outlastHangingVendor: Scenario = {
  row: 14,
  title: "one organisation's vendor hangs beside another organisation's calls",
  alone: true,
  unit: 'seconds',
  full: FULL_SECONDS,
  short: 1,
  run: (seconds, random) => tryAll([HANGING], seconds, random),
};

/**
 * One organisation's parts are small as they are sent and cost seconds to unpack; another organisation must not be
 * affected.
 */
export const outlastUnpacking: Scenario = {
  row: 38,
  title: "parts that are large when they are unpacked, eight at once, beside another organisation's calls",
  alone: true,
  unit: 'seconds',
  full: FULL_SECONDS,
  short: 1,
  run: (seconds, random) => tryAll([UNPACKED], seconds, random),
};

/**
 * Each hostile load beside a good organisation, whose calls must not be refused, nor slow for more than a short time.
 */
export const stayFair: Scenario = {
  row: 18,
  title: 'hostile organisations and strangers beside a good organisation',
  alone: true,
  unit: 'seconds of each load',
  full: FULL_SECONDS,
  short: 2,
  run(seconds, random) {
    const all = (Object.keys(HOSTILE_LOADS) as HostileLoadName[]).filter(
      (name) => name !== HANGING && name !== UNPACKED,
    );
    return tryAll(seconds < FULL_SECONDS ? SHORT : all, seconds, random);
  },
};

async function tryAll(
  names: readonly HostileLoadName[],
  seconds: number,
  random: Parameters<Scenario['run']>[1],
): Promise<Outcome> {
  const isShort = seconds < FULL_SECONDS;
  const rows: string[][] = [];
  const claims: Claim[] = [];
  for (const name of names) {
    const short: Record<string, string> = name === HANGING ? FEW_AT_WORK : {};
    // With so few places, a good organisation whose calls pile up on a slow machine may use up its share.
    const dependsOnSpeed = !isShort || name === HANGING;
    const variables = isShort ? { ...AT_ANY_SPEED, ...short } : LIMITS_OF_PRODUCTION;
    const tried = await tryLoad({ name, seconds, random, variables, dependsOnSpeed });
    rows.push(tried.row);
    claims.push(...tried.claims);
  }
  const [only = []] = rows;
  const figures =
    rows.length === 1
      ? HEAD.slice(1)
          .map((what, column) => `${what}: ${only[column + 1]}`)
          .join('; ')
      : `${rows.length} hostile loads, ${claims.filter(({ holds }) => !holds).length} promises to the good organisation broken`;
  return { figures, claims, table: { head: HEAD, rows } };
}
