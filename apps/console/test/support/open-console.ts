import type { SharedService } from '@causeway/testing';
import { launchBrowser, obstacles } from '@causeway/testing/browser';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, inject } from 'vitest';

/** The service of all tests of the console. */
export const service: SharedService = inject('sharedService');
/** Where a console is, and who may log in. */
export type ConsoleService = Pick<SharedService, 'url' | 'staffApiKey'>;
const DESKTOP = { width: 1280, height: 800 };

/** A tab of the console, and what went wrong in it: see `expectQuiet`. */
export interface OpenConsole {
  page: Page;
  /** Opens an address of the console: `/accounts?q=HV`. */
  open(address: string): Promise<void>;
  /** Fails if the page has called another host, written an error, or broken its policy. */
  expectQuiet(): void;
  /** Fails at anything that axe finds, in light and dark. */
  expectAccessible(): Promise<void>;
  /** Fails if the page scrolls sideways, from a telephone to a wall. */
  expectFits(): Promise<void>;
  /** Reads again what is live on the page, as it does for somebody who comes back to the tab. */
  readAgain(): Promise<void>;
}

let launched: Promise<Browser> | undefined;

/** One browser for all files of a worker. */
export function browser(): Promise<Browser> {
  launched ??= launchBrowser();
  return launched;
}

/** A browser's own tab, without a login. */
export async function openConsole({ url }: ConsoleService = service): Promise<OpenConsole> {
  const context = await (await browser()).newContext({ viewport: DESKTOP, locale: 'en-GB' });
  return watch(context, await context.newPage(), url);
}

/** The same, logged in with the key of the service team, or another one of it. */
export async function logIn(address = '/', key = service.staffApiKey): Promise<OpenConsole> {
  const opened = await openConsole();
  await opened.open(address);
  await opened.page.getByLabel('Staff key').fill(key);
  await opened.page.getByRole('button', { name: 'Log in' }).click();
  await opened.page.getByRole('navigation', { name: 'Pages' }).waitFor();
  return opened;
}

function watch(context: BrowserContext, page: Page, url: string): OpenConsole {
  const wrong: string[] = [];
  page.setDefaultTimeout(120_000);
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(url).origin && !/^(data|blob):/.test(protocol)) wrong.push(`called ${request.url()}`);
  });
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    // A call that was refused is an error to the browser; the page has to show it.
    const isRefusal = message.text().startsWith('Failed to load resource: the server responded with a status of 4');
    if (['error', 'warning'].includes(message.type()) && !isRefusal) wrong.push(message.text());
  });
  return {
    page,
    open: async (address) => {
      await page.goto(`${url}/console${address}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
    readAgain: () => page.evaluate<void>("void window.dispatchEvent(new Event('visibilitychange'))"),
    expectQuiet: () => expect(wrong).toEqual([]),
    async expectFits() {
      for (const width of [360, 1280, 2560]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      }
      await page.setViewportSize(DESKTOP);
    },
    async expectAccessible() {
      // What was said of a button that was pressed stays for some seconds, longer than the button.
      await page.locator('[data-live-announcer] [role="img"]').first().waitFor({ state: 'detached' });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await obstacles(page, { isStrict: true, onlyColours: colorScheme === 'dark' })).toEqual([]);
      }
      await page.emulateMedia({ colorScheme: 'light' });
    },
  };
}
