import { setTimeout as delay } from 'node:timers/promises';
import { obtainTokens } from '@causeway/rest-client/portable';
import { HAS_BROWSER, launchBrowser } from '@causeway/testing/browser';
import { progress } from '../progress.ts';
import { type Finding, judge, type PartResult, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { fillConsole, PREFIX } from '../world/fill-console.ts';
import { cpuSeconds } from '../world/processes.ts';
import { IMPORT_SUPPLIER } from '../world/seed.ts';
import type { Part } from './part.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

/** The instance whose console is looked at. */
interface Looked {
  url: string;
  pid: number;
  staffApiKey: string;
}

const ROUNDS = 7;
const WATCHED_S = 15;
const PAIRS = 2;
/** Enough for 10,000 rows of one list. */
const IMPORTS = 20_000;
const ROWS = 10_000;
const SCROLLED_FRAMES = 600;
const KILO = 1_000;

/** What a person waits for and a service spends while the console is open in Chromium. Nothing without a browser. */
export const consoleInBrowser: Part = {
  name: 'console-browser',
  heading: 'The console in a browser',
  async measure(world) {
    if (!HAS_BROWSER) return { findings: [], details: [] };
    const target = await world.startTarget('console-browser');
    await fillConsole(world, target, IMPORTS);
    const [instance] = target.instances;
    if (instance === undefined) throw new Error('The console has no instance.');
    return measureInBrowser({ url: instance.url, pid: instance.pid, staffApiKey: world.seed.staffApiKey });
  },
};

async function measureInBrowser(looked: Looked): Promise<PartResult> {
  const browser = await launchBrowser();
  try {
    const first = await firstPage(browser, looked);
    const share = await shareOfCore(browser, looked);
    const frames = await longFrames(browser, looked);
    return {
      findings: [...first, share],
      details: [FRAMES, table(['page', 'frames', 'over 50 ms', 'longest, ms'], frames)],
    };
  } finally {
    await browser.close();
  }
}

const FRAMES = `Scrolled through in Chromium without a graphics processor, ${SCROLLED_FRAMES} frames of 300 pixels each:`;

/** Nothing is in its cache; the link logs it in. */
async function open(
  browser: Browser,
  { url, staffApiKey }: Looked,
): Promise<{ page: Page; ms: number; bytes: number }> {
  const { refreshToken } = await obtainTokens(url, { apiKey: staffApiKey });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  const begun = performance.now();
  await page.goto(`${url}/console/#refresh=${refreshToken}`);
  await page.getByRole('table', { name: 'Migrations' }).getByRole('link').first().waitFor();
  return { page, ms: performance.now() - begun, bytes };
}

async function firstPage(browser: Browser, looked: Looked): Promise<Finding[]> {
  const times: number[] = [];
  const sizes: number[] = [];
  while (times.length <= ROUNDS) {
    const { page, ms, bytes } = await open(browser, looked);
    times.push(ms);
    sizes.push(bytes / KILO);
    await page.context().close();
  }
  // The first one also starts the browser's processes.
  const warm = times.slice(1);
  progress(`first page: ${shownSpread(warm)} ms`);
  return [
    judge(
      'Console: first usable page, nothing cached, with its login',
      { value: medianOf(warm), direction: 'at most', mustReach: 1_500, unit: ' ms' },
      `${shownSpread(warm)} ms`,
    ),
    judge(
      'Console: bytes of the first page, as sent',
      {
        value: medianOf(sizes),
        direction: 'at most',
        mustReach: 250,
        unit: ' kB',
      },
      `${shown(medianOf(sizes))} kB`,
    ),
  ];
}

/** What the service spends more with an open console than without, of one core: in turns, since both vary. */
async function shareOfCore(browser: Browser, looked: Looked): Promise<Finding> {
  const spent = async () => {
    const before = cpuSeconds(looked.pid);
    await delay(WATCHED_S * 1_000);
    return ((cpuSeconds(looked.pid) - before) / WATCHED_S) * 100;
  };
  const turns: { open: number; closed: number }[] = [];
  while (turns.length < PAIRS) {
    const { page } = await open(browser, looked);
    await page.waitForLoadState('networkidle');
    const opened = await spent();
    await page.context().close();
    turns.push({ open: opened, closed: await spent() });
  }
  const mean = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0) / of.length;
  const [opened, closed] = [mean(turns.map((turn) => turn.open)), mean(turns.map((turn) => turn.closed))];
  progress(`with an open console ${shown(opened)} % of a core, without ${shown(closed)} %`);
  const goal = { value: opened - closed, direction: 'at most', mustReach: 1, unit: ' %' } as const;
  const reached = `${shown(opened - closed)} %: ${shown(opened)} / ${shown(closed)} %`;
  return judge('Console: an open overview, of a core of the service, over none', goal, reached);
}

async function longFrames(browser: Browser, looked: Looked): Promise<string[][]> {
  const { page } = await open(browser, looked);
  const console = `${looked.url}/console`;
  await page.goto(`${console}/accounts?code=${IMPORT_SUPPLIER}`);
  const list = page.getByRole('table', { name: `Accounts of ${IMPORT_SUPPLIER}` });
  await list.waitFor();
  const rowsThere = async () => Number(await list.getAttribute('aria-rowcount')) - 1;
  const isMore = async () => (await page.getByRole('button', { name: /^Load/ }).count()) > 0;
  while ((await rowsThere()) < ROWS && (await isMore())) {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await delay(50);
  }
  const there = await rowsThere();
  const rows = await scrolled(page);
  await page.goto(`${console}/accounts/${IMPORT_SUPPLIER}/${PREFIX}1000`);
  await page.getByRole('table', { name: 'Entries of the timeline' }).waitFor();
  const events = await scrolled(page);
  await page.context().close();
  return [
    [`accounts, ${there.toLocaleString('en-GB')} rows`, ...rows],
    ['account, 1,000 events', ...events],
  ];
}

/** From the top, a step a frame, to and fro: how many frames there were, how many took over 50 ms, and the longest. */
async function scrolled(page: Page): Promise<string[]> {
  const frames = await page.evaluate<number[]>(`new Promise((resolve) => {
    scrollTo(0, 0);
    const frames = [];
    let last, step = 300;
    const next = (now) => {
      if (last !== undefined) frames.push(now - last);
      last = now;
      const before = scrollY;
      scrollBy(0, step);
      if (scrollY === before) step = -step;
      frames.length < ${SCROLLED_FRAMES} ? requestAnimationFrame(next) : resolve(frames);
    };
    requestAnimationFrame(next);
  })`);
  const long = frames.filter((ms) => ms > 50);
  progress(`frames over 50 ms: ${long.length} of ${frames.length}`);
  return [String(frames.length), String(long.length), shown(Math.max(...frames))];
}
