import { readFileSync } from 'node:fs';
import chromium from '@sparticuz/chromium';
import type { AxeResults, ImpactValue } from 'axe-core';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';

/** The browser from npm is a program for Linux. */
export const HAS_BROWSER = process.platform === 'linux' && process.arch === 'x64';

/**
 * Without a graphics processor, and without one computed by the processor: nothing is seen of what that would add. Of
 * one process for all tabs, the first that is closed would be the end.
 */
const OPTIONS = [
  ...chromium.args.filter((option) => !/gpu|angle|swiftshader|single-process/.test(option)),
  '--disable-gpu',
];

export async function launchBrowser(): Promise<Browser> {
  return playwright.launch({ executablePath: await chromium.executablePath(), args: OPTIONS });
}

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const GRAVE: readonly ImpactValue[] = ['critical', 'serious'];

interface ObstacleOptions {
  /** Also what is minor. */
  isStrict?: boolean;
  /** Only what depends on the colours: the rest was looked at in others. */
  onlyColours?: boolean;
  /** A selector: only in this part of the page. */
  within?: string;
}

/** What axe finds on a page that keeps somebody from using it: each rule that is broken, and where. */
export async function obstacles(page: Page, options: ObstacleOptions = {}): Promise<string[]> {
  const { isStrict = false, onlyColours = false, within = 'html' } = options;
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(AXE);
  const only = onlyColours ? ", runOnly: ['color-contrast']" : '';
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(within)}, { resultTypes: ['violations']${only} })`,
  );
  return violations
    .filter(({ impact }) => isStrict || GRAVE.includes(impact ?? null))
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}
