import { readFile } from 'node:fs/promises';
import { HAS_BROWSER } from '@causeway/testing/browser';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createBook, staff } from './support/move-book.ts';
import { logIn } from './support/open-console.ts';

/** Two chunks: after the first a job of one account a second waits. */
const ACCOUNTS = 130;
const SLOWLY = { accounts_per_second: 1 };

describe.skipIf(!HAS_BROWSER)('jobs', () => {
  test('26.5.1 26.5.2 an operator rehearses, starts, slows, pauses and resumes a job, and takes its rows away', async () => {
    const book = await createBook(ACCOUNTS);
    const id = await book.upload('Night 1', SLOWLY);
    const { page, expectQuiet, expectAccessible } = await logIn(`/jobs?supplier=${book.code}`);
    await expectAccessible();
    await page.getByRole('link', { name: 'Night 1' }).press('Enter');
    await page.getByRole('heading', { name: 'Night 1', level: 1 }).waitFor();
    await staff.bulkJobs.setLimits.mutate({ id, accounts_per_second: null });
    await confirm(page, 'r', 'Rehearse');
    await page.getByRole('region', { name: 'Rehearsal' }).getByText('Would pass').waitFor();
    await expectAccessible();
    expect(await countsOf(page)).toMatchObject({ total: ACCOUNTS, waiting: 0 });

    await page.getByLabel('Accounts a second, empty for no limit').fill('1');
    await page.getByRole('button', { name: 'Set limits' }).click();
    await page.getByText('1 accounts/s').waitFor();
    await confirm(page, 's', 'Start');
    await expect.poll(() => countsOf(page)).toMatchObject({ total: ACCOUNTS, waiting: 30 });
    await confirm(page, 'p', 'Pause');
    await page.getByText('Paused: somebody paused it').waitFor();
    await expectAccessible();
    await page.getByLabel('Chunks at once').fill('2');
    await page.getByLabel('Accounts a second, empty for no limit').fill('');
    await page.keyboard.press('Enter');
    await page.getByText('as fast as it can').waitFor();
    expect((await staff.dataImport.bulkJob.query({ job_id: id })).options).toMatchObject({
      parallelism: 2,
      accounts_per_second: null,
    });
    await page.getByRole('heading', { level: 1 }).click();
    await confirm(page, 's', 'Resume');
    await page
      .getByRole('term')
      .filter({ hasText: /^Took$/ })
      .waitFor();
    const { counts } = await staff.dataImport.bulkJob.query({ job_id: id });
    expect(await countsOf(page)).toMatchObject({ total: ACCOUNTS, waiting: 0, refused: counts.refused });
    await page.getByRole('table', { name: 'Problems of the lines' }).getByText('invalid phone number').waitFor();

    expect(await linesOf(page, 'Results')).toHaveLength(ACCOUNTS);
    expect(await linesOf(page, 'Failed rows')).toHaveLength(counts.refused);
    await page.getByRole('link', { name: 'Who did what' }).click();
    const events = page.getByRole('table', { name: 'Events' });
    for (const action of ['limits set', 'rows viewed']) await events.getByText(action).first().waitFor();
    expectQuiet();
    await page.context().close();
  });

  test('26.5.4 what a job has created is taken back by another job, after its money, and by the code', async () => {
    const book = await createBook(5);
    const id = await book.upload('Wrong tariff');
    await staff.dataImport.startBulkJob.mutate({ job_id: id, run_mode: 'REAL' });
    const read = (job_id: string) => staff.dataImport.bulkJob.query({ job_id });
    await expect.poll(async () => (await read(id)).state).toBe('FINISHED');
    const { created } = (await read(id)).counts;
    await staff.importSuppliers.update.mutate({ code: book.code, undo_hours: 24 });
    const { page, expectAccessible, expectQuiet } = await logIn(`/jobs/${id}`);
    await page.getByRole('button', { name: 'Try to undo' }).waitFor();
    await page.keyboard.press('u');
    const dialog = page.getByRole('alertdialog', { name: 'Undo: Wrong tariff' });
    await dialog.getByRole('table', { name: 'Money of this job' }).waitFor();
    await expectAccessible();
    await dialog.getByLabel('Reason').fill('Moved with the wrong tariff');
    await dialog.getByLabel(`Type ${book.code} to confirm`).fill(book.code);
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    const shown = () => new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await expect.poll(shown).not.toBe(id);
    await expect.poll(async () => (await read(shown())).state).toBe('FINISHED');
    expect((await read(shown())).counts).toMatchObject({ undone: created, refused: 0 });
    expectQuiet();
    await page.context().close();
  });

  test('26.1.5 26.5.3 what cannot be undone wants the code typed, a filter is in the address, and new rows wait', async () => {
    const book = await createBook(1);
    await book.upload('By mistake');
    const { page, readAgain, expectAccessible, expectQuiet } = await logIn('/jobs');
    await page.getByLabel('Supplier').selectOption(book.code);
    await page.getByLabel('State').selectOption('OPEN');
    await page.getByRole('link', { name: 'By mistake' }).waitFor();
    expect(new URL(page.url()).search).toBe(`?supplier=${book.code}&state=OPEN`);
    await page.getByRole('link', { name: 'By mistake' }).click();
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Cancel the job: By mistake' });
    await expectAccessible();
    expect(await dialog.getByRole('button', { name: 'Cancel the job' }).isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${book.code} to confirm`).fill(book.code);
    await dialog.getByRole('button', { name: 'Cancel the job' }).click();
    await page.getByText(/^.cancelled$/).waitFor();
    await page.goBack();
    await page.getByText('No jobs match.').waitFor();
    await book.upload('By night');
    await readAgain();
    await page.getByRole('button', { name: '1 new, show' }).click();
    await page.getByRole('link', { name: 'By night' }).waitFor();
    expectQuiet();
    await page.context().close();
  });
});

/** Presses a key, and confirms. */
async function confirm(page: Page, key: string, name: string): Promise<void> {
  await page.getByRole('button', { name }).first().waitFor();
  await page.keyboard.press(key);
  await page.getByRole('alertdialog').getByRole('button', { name }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
}

/** The outcomes that the page shows, and what they add up to. */
async function countsOf(page: Page): Promise<Record<string, number>> {
  const text = (await page.getByLabel('Outcomes').textContent()) ?? '';
  const found = [...text.matchAll(/(created|updated|unchanged|refused|failed|not processed|waiting)([\d,]+) /g)];
  const counts = found.map(([, name = '', of = '']) => [name, Number(of.replaceAll(',', ''))] as const);
  return { ...Object.fromEntries(counts), total: counts.reduce((sum, [, of]) => sum + of, 0) };
}

/** The lines of a file that a button downloads. */
async function linesOf(page: Page, name: string): Promise<string[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
  return (await readFile(await download.path(), 'utf8')).split('\n').filter((line) => line !== '');
}
