import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createClient, failureOf } from '@causeway/client';
import { launchBrowser } from '@causeway/testing/browser';
import type { Page } from 'playwright-core';
import { type Place, placesOf } from './places.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const SCHEMES = ['light', 'dark'] as const;
/** A telephone, a desk, a wall. */
const WIDTHS = [360, 1280, 2560];
/** What the README and the manual show: a screenful of each. */
const DOCUMENTED: Record<string, readonly (typeof SCHEMES)[number][]> = {
  migration: SCHEMES,
  account: ['light'],
  job: ['light'],
  reconciliation: ['light'],
};
const SCREEN = { width: 1280, height: 800 };

/**
 * `pnpm pictures`: takes the pictures of the documentation from a running service, that of `pnpm demo` unless `--url` and
 * `STAFF_API_KEY` say otherwise. With `--all FOLDER` it takes every page there, whole, in both schemes and three widths,
 * to be looked at; `--only NAME` limits that.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:3000' },
      all: { type: 'string' },
      only: { type: 'string', multiple: true },
    },
  });
  const { url, all, only } = values;
  const key = process.env.STAFF_API_KEY ?? (await readDemoKey());
  const folder = all ?? path.join(ROOT, 'docs/pictures');
  await mkdir(folder, { recursive: true });
  const places = await placesOf(createClient({ url, apiKey: key.trim() })).catch((error: unknown) => {
    if (failureOf(error)?.kind === 'unavailable') return stop(`Nothing answers at ${url}`);
    throw error;
  });
  const wanted = places.filter(({ name }) =>
    all === undefined ? Object.hasOwn(DOCUMENTED, name) : (only?.includes(name) ?? true),
  );
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({
      viewport: SCREEN,
      locale: 'en-GB',
      deviceScaleFactor: all === undefined ? 1.25 : 1,
    });
    await logIn(page, `${url}/console`, key.trim());
    for (const place of wanted) {
      await open(page, `${url}/console`, place);
      await (all === undefined ? takeScreen(page, place, folder) : takeAll(page, place, folder));
      process.stdout.write(`${place.name}\n`);
    }
  } finally {
    await browser.close();
  }
}

/** The demo writes it when it starts. */
async function readDemoKey(): Promise<string> {
  return readFile(path.join(ROOT, '.causeway/demo-staff-api-key'), 'utf8').catch(() => stop('The demo has never run'));
}

function stop(because: string): never {
  process.stderr.write(`${because}: run \`npx -y pnpm@12 demo\` first, and leave it running.\n`);
  process.exit(1);
}

async function logIn(page: Page, address: string, key: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel('Staff key').fill(key);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

/** As somebody sees it who waits until nothing is loading. */
async function open(page: Page, address: string, { address: below, prepare }: Place): Promise<void> {
  await page.setViewportSize(SCREEN);
  await page.goto(address + below, { waitUntil: 'networkidle' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await prepare?.(page);
}

async function takeScreen(page: Page, { name }: Place, folder: string): Promise<void> {
  for (const colorScheme of DOCUMENTED[name] ?? []) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}.png`) });
  }
}

/** Whole; of a dialog only the screen, which it covers. */
async function takeAll(page: Page, { name }: Place, folder: string): Promise<void> {
  const fullPage = (await page.getByRole('dialog').or(page.getByRole('alertdialog')).count()) === 0;
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 600 ? 740 : 900 });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: path.join(folder, `${name}-${width}-${colorScheme}.png`), fullPage });
    }
  }
}

await main();
