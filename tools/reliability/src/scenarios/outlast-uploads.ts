import { percentile } from '@causeway/testing';
import { createGoodClient, type GoodClient, type GoodTime, longestSlowTime } from '../rig/good-client.ts';
import { LIMITS_OF_PRODUCTION, type Supplier, startWorld } from '../rig/start-world.ts';
import { type Claim, exactly, none, type Outcome, type Scenario, within } from '../scenario.ts';
import { HOSTILE_UPLOADS, packUploads } from '../uploads/hostile-uploads.ts';
import { type JudgedUploads, judgeUploads } from '../uploads/judge-uploads.ts';
import { POISON, UNLUCKY_UPLOADS } from '../uploads/unlucky-uploads.ts';
import { openSite, type TriedUpload, type Upload, type UploadSite } from '../uploads/upload-site.ts';

const FULL_TIMES = 3;
/** How often its median before, and for how long, a good organisation's calls may take. */
const SLOWER = 3;
const SLOW_FOR_MS = 1_000;
const CALM_MS = { short: 500, full: 2_000 };
const SLICE_MS = 500;
/** The small form does not test speed: a machine that is busy with other tests must not cause refusals. */
const AT_ANY_SPEED = { MAX_EVENT_LOOP_DELAY_MS: '60000', MAX_EXPECTED_WAIT_MS: '60000' };
const HEAD = [
  ...['upload', 'p50 before / during, ms', 'p99 before / during, ms', 'refused before / during'],
  `slower than ${SLOWER} x p50 before / during, for`,
];

/**
 * Each upload beside a good organisation, whose calls must not be refused, nor slow for more than a short time; in the
 * small form all of them at once.
 */
export const outlastUploads: Scenario = {
  row: 28,
  title: "hostile and unlucky uploads beside a good organisation's calls",
  alone: true,
  unit: 'times each upload',
  full: FULL_TIMES,
  short: 1,
  async run(times, random): Promise<Outcome> {
    const isShort = times < FULL_TIMES;
    const variables = isShort ? AT_ANY_SPEED : LIMITS_OF_PRODUCTION;
    await using world = await startWorld({ instances: isShort ? 1 : 2, variables, dropLog: true });
    packUploads();
    const site = await openSite(world);
    using client = createGoodClient(world, await world.createSupplier(), random.fork('good'));
    await client.measure(CALM_MS.short);
    const trials = isShort ? [allAtOnce(times)] : eachInTurn(times);
    const found: Found = { uploads: [], rows: [], claims: [] };
    for (const trial of trials) await tryBeside(site, { client, isShort, found, trial });
    const judged = await judgeUploads(site, found.uploads);
    const exited = world.instances.filter(({ process }) => process.exited).length;
    return {
      figures: figuresOf(found, judged),
      claims: [...judged.claims, exactly('instances that ended', exited, 0), ...found.claims],
      ...(!isShort && { table: { head: HEAD, rows: found.rows } }),
    };
  },
};

interface Trial {
  name: string;
  uploads: readonly TriedUpload[];
  times: number;
}

interface Found {
  uploads: Upload[];
  rows: string[][];
  claims: Claim[];
}

const SHORT = Object.values({ ...HOSTILE_UPLOADS, ...UNLUCKY_UPLOADS });
const FULL = Object.entries({ ...HOSTILE_UPLOADS, ...UNLUCKY_UPLOADS, ...POISON });

const allAtOnce = (times: number): Trial => ({ name: 'all at once', uploads: SHORT, times });
const eachInTurn = (times: number): Trial[] => FULL.map(([name, upload]) => ({ name, uploads: [upload], times }));

interface Beside {
  client: GoodClient;
  isShort: boolean;
  found: Found;
  trial: Trial;
}

async function tryBeside(site: UploadSite, { client, isShort, found, trial }: Beside): Promise<void> {
  const { name, uploads, times } = trial;
  const suppliers: Supplier[] = [];
  while (suppliers.length < uploads.length * times) suppliers.push(await site.world.createSupplier());
  const before = await client.measure(isShort ? CALM_MS.short : CALM_MS.full);
  let isOver = false;
  const uploading = Promise.allSettled(
    uploads.map(async (upload, index) => {
      for (const supplier of suppliers.slice(index * times, (index + 1) * times)) {
        found.uploads.push(...(await upload(site, supplier)));
      }
    }),
  ).finally(() => {
    isOver = true;
  });
  const slices: GoodTime[] = [];
  while (!isOver) slices.push(await client.measure(SLICE_MS));
  for (const ended of await uploading) if (ended.status === 'rejected') throw ended.reason;
  const during = joined(slices);
  const slowMs = longestSlowTime(during, SLOWER * before.p50);
  const refused = none(`refused to the good organisation beside: ${name}`, during.refused);
  found.rows.push(rowOf(name, before, during));
  found.claims.push(
    { ...refused, dependsOnSpeed: !isShort },
    within(`its calls slower than ${SLOWER} x p50 beside: ${name}`, slowMs, SLOW_FOR_MS),
  );
}

function joined(slices: readonly GoodTime[]): GoodTime {
  const times = slices.flatMap((slice) => slice.times);
  const latencies = times.map(({ beganAt, endedAt }) => endedAt - beganAt);
  return {
    ...{ times, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) },
    calls: times.length,
    refused: slices.flatMap(({ refused }) => refused),
  };
}

function rowOf(name: string, before: GoodTime, during: GoodTime): string[] {
  const each = (show: (time: GoodTime) => string) => [before, during].map(show).join(' / ');
  return [
    name,
    each(({ p50 }) => p50.toFixed(1)),
    each(({ p99 }) => p99.toFixed(0)),
    each(({ refused, calls }) => `${refused.length} of ${calls}`),
    each((time) => `${(longestSlowTime(time, SLOWER * before.p50) / 1_000).toFixed(1)} s`),
  ];
}

function figuresOf({ uploads, rows }: Found, { lines, outcomes, codes, lost, doubled }: JudgedUploads): string {
  const list = (counts: Record<string, number>) => Object.entries(counts).map(([name, count]) => `${count} x ${name}`);
  const p99s = rows.map(([, , p99 = '']) => Number(p99.split(' / ')[1]));
  return `${uploads.length} jobs, ${lines} lines: ${list(outcomes).join(', ')} (${list(codes).join(', ')}); the good organisation's p99 ${Math.max(...p99s)} ms at most; ${lost} lost, ${doubled} doubled`;
}
