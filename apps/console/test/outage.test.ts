import { createServer } from 'node:net';
import { createClient } from '@causeway/client';
import { createTestDatabase, SERVICE_PROGRAM, type ServiceProcess, startServiceProcess } from '@causeway/testing';
import { HAS_BROWSER } from '@causeway/testing/browser';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createBook } from './support/move-book.ts';
import { openConsole } from './support/open-console.ts';

const staffApiKey = 'the key of anyone who works by keys alone';
const ACCOUNTS = 130;

test.skipIf(!HAS_BROWSER)(
  '26.1.3 26.5.2 26.8.4 by keys alone: somebody logs in, finds a job and starts it; the service is killed and comes back, and so does the page',
  async () => {
    const own = await startAtOnePort();
    const at = { url: own.url, staffApiKey };
    const book = await createBook(ACCOUNTS, at);
    const id = await book.upload('Night 2', { accounts_per_second: 1 });
    const { page, open } = await openConsole(at);
    await open('/');
    await page.keyboard.type(staffApiKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await press(page, 'g', 'j');
    await page.getByRole('link', { name: 'Night 2' }).waitFor();
    await press(page, 'j', 'Enter');
    await page.getByRole('button', { name: 'Start' }).waitFor();
    await press(page, 's', 'Tab', 'Enter');
    await page.getByLabel('Outcomes').getByText('30', { exact: true }).waitFor();

    await own.kill();
    await page.getByText('The service does not answer.').waitFor();
    await page.getByRole('heading', { name: 'Night 2' }).waitFor();
    await own.restart();
    await page.getByText('The service does not answer.').waitFor({ state: 'detached' });

    await tabTo(page, 'Accounts a second, empty for no limit');
    await press(page, 'Control+a', 'Delete', 'Enter');
    await page.getByText('Changed: takes effect from the next chunk.').waitFor();
    await page.getByText('finished', { exact: true }).waitFor();
    const { counts } = await createClient({ url: own.url, apiKey: staffApiKey }).dataImport.bulkJob.query({
      job_id: id,
    });
    expect(counts).toMatchObject({ created: ACCOUNTS - counts.refused, waiting: 0 });
    await page.context().close();
  },
);

/** The address of a page stays the same when its service is killed and started again. */
async function startAtOnePort(): Promise<ServiceProcess> {
  const { url, drop } = await createTestDatabase();
  const program = ['env', `PORT=${await freePort()}`, ...SERVICE_PROGRAM];
  const variables = { DATABASE_URL: url, STAFF_API_KEY: staffApiKey, PAYMENT_VENDORS: 'SANDBOX', LOG_LEVEL: 'error' };
  const started = await startServiceProcess(variables, { program });
  onTestFinished(async () => {
    await started.terminate();
    await drop();
  });
  return started;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Presses Tab until a field has the focus. */
async function tabTo(page: Page, label: string): Promise<void> {
  const field = page.getByLabel(label);
  for (let steps = 0; steps < 60; steps += 1) {
    if (await field.evaluate((it) => it === it.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${label}.`);
}
