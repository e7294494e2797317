import { emptyLedger } from '../rig/careful-sender.ts';
import { cellsOf, createGoodClient, longestSlowTime, withinSlowTime } from '../rig/good-client.ts';
import { AT_ANY_SPEED, LIMITS_OF_PRODUCTION, type Supplier, startWorld } from '../rig/start-world.ts';
import { type Claim, dependingOnSpeed, exactly, listed, none, type Outcome, type Scenario } from '../scenario.ts';
import { HOSTILE_UPLOADS, packUploads } from '../uploads/hostile-uploads.ts';
import { judgeUploads } from '../uploads/judge-uploads.ts';
import { type Upload, uploaderOf } from '../uploads/upload-site.ts';

const FULL_TIMES = 3;
const CALM_MS = 1_000;
const HEAD = [
  ...['upload', 'p50 before / during, ms', 'p99 before / during, ms', 'refused before / during'],
  'slower than 3 x p50 before / during, for',
];

/** Each upload beside a good organisation, whose calls must not be refused, nor slow for more than a short time. */
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
    const known = { ledger: emptyLedger(), random: random.fork('uploads') };
    const client = createGoodClient(world, await world.createSupplier(), random.fork('good'));
    const uploads: Upload[] = [];
    const rows: string[][] = [];
    const claims: Claim[] = [];
    for (const [name, upload] of Object.entries(HOSTILE_UPLOADS)) {
      const suppliers: Supplier[] = [];
      while (suppliers.length < times) suppliers.push(await world.createSupplier());
      const before = await client.measure(CALM_MS);
      let isOver = false;
      const uploading = Promise.allSettled([
        (async () => {
          for (const supplier of suppliers) uploads.push(await upload(uploaderOf(world, supplier, known)));
        })().finally(() => {
          isOver = true;
        }),
      ]);
      const during = await client.measure(() => isOver);
      const [ended] = await uploading;
      if (ended.status === 'rejected') throw ended.reason;
      const slowMs = [before, during].map((time) => longestSlowTime(time, before)) as [number, number];
      const seconds = slowMs.map((ms) => `${(ms / 1_000).toFixed(1)} s`).join(' / ');
      rows.push([name, ...cellsOf([before, during]), seconds]);
      const refused = none({ [`refused to the good organisation beside: ${name}`]: during.refused });
      claims.push(...dependingOnSpeed(refused, !isShort), withinSlowTime(`beside: ${name}`, slowMs[1]));
    }
    const judged = await judgeUploads(world, uploads, known.ledger);
    const exited = world.instances.filter(({ process }) => process.exited).length;
    return {
      figures: `${uploads.length} jobs: ${listed(judged.outcomes)}`,
      claims: [...judged.claims, exactly('instances that ended', exited, 0), ...claims],
      table: { head: HEAD, rows },
    };
  },
};
