import { cellsOf, createGoodClient, type GoodClient, longestSlowTime, withinSlowTime } from '../rig/good-client.ts';
import { AT_ANY_SPEED, LIMITS_OF_PRODUCTION, type Supplier, startWorld } from '../rig/start-world.ts';
import { type Claim, dependingOnSpeed, exactly, listed, none, type Outcome, type Scenario } from '../scenario.ts';
import { HOSTILE_UPLOADS, packUploads } from '../uploads/hostile-uploads.ts';
import { judgeUploads } from '../uploads/judge-uploads.ts';
import { openSite, type TriedUpload, type Upload, type UploadSite } from '../uploads/upload-site.ts';

const FULL_TIMES = 3;
const CALM_MS = { short: 500, full: 2_000 };
const HEAD = [
  ...['upload', 'p50 before / during, ms', 'p99 before / during, ms', 'refused before / during'],
  'slower than 3 x p50 before / during, for',
];

/**
 * Each upload beside a good organisation, whose calls must not be refused, nor slow for more than a short time; in the
 * small form all of them at once.
 */
export const outlastUploads: Scenario = {
  row: 28,
  title: "hostile uploads beside a good organisation's calls",
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
      figures: `${found.uploads.length} jobs: ${listed(judged.outcomes)} (${listed(judged.codes)})`,
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

const allAtOnce = (times: number): Trial => ({ name: 'all at once', uploads: Object.values(HOSTILE_UPLOADS), times });
const eachInTurn = (times: number): Trial[] =>
  Object.entries(HOSTILE_UPLOADS).map(([name, upload]) => ({ name, uploads: [upload], times }));

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
  const during = await client.measure(() => isOver);
  for (const ended of await uploading) if (ended.status === 'rejected') throw ended.reason;
  const slowMs = [before, during].map((time) => longestSlowTime(time, before)) as [number, number];
  const seconds = slowMs.map((ms) => `${(ms / 1_000).toFixed(1)} s`).join(' / ');
  found.rows.push([name, ...cellsOf([before, during]), seconds]);
  const refused = none({ [`refused to the good organisation beside: ${name}`]: during.refused });
  found.claims.push(...dependingOnSpeed(refused, !isShort), withinSlowTime(`beside: ${name}`, slowMs[1]));
}
