import { readFile } from 'node:fs/promises';
import { HAS_BROWSER } from '@causeway/testing/browser';
import { describe, expect, test } from 'vitest';
import { createBook, staff } from './support/move-book.ts';
import { logIn, service } from './support/open-console.ts';

describe.skipIf(!HAS_BROWSER)('reconciliation', () => {
  test('26.6.1 26.6.2 26.6.3 an auditor sees what differs, signs it off by name, takes the report away and prints it', async () => {
    const book = await createBook(3);
    const [{ account } = { account: {} }] = book.lines as { account: { external_account_number?: string } }[];
    const number = account.external_account_number ?? expect.fail('The book begins with an account.');
    await book.lodge([{ external_account_number: number, transfer_balance: '1234.56' }]);
    const { api_key } = await staff.apiKeys.issueStaff.mutate({ label: 'Audit', person: 'Priya Raman' });

    const { page, expectQuiet, expectAccessible } = await logIn(`/reconciliations?supplier=${book.code}`, api_key);
    await page.getByText('Nothing was compared yet').waitFor();
    await page.keyboard.press('c');
    const ask = page.getByRole('dialog', { name: 'Reconcile' });
    await ask.getByLabel(`Sealed manifest of ${book.code}`).waitFor();
    await expectAccessible();
    await ask.getByRole('button', { name: 'Reconcile' }).click();
    await page.getByText(/^Different, as of .* UTC: 1 difference in 1 account\.$/).waitFor();
    await expectAccessible();
    const totals = page.getByRole('table', { name: 'Totals of both sides' });
    expect(await totals.getByRole('row', { name: /Transfer balance/ }).textContent()).toMatch(
      /1,234\.560\.00−1,234\.56/,
    );
    const differences = page.getByRole('table', { name: 'Differences by account' });
    await differences.getByRole('row', { name: new RegExp(`${number}\\s*never arrived`) }).waitFor();
    await page.getByLabel('Kind').selectOption('EXTRA');
    await page.getByText('No differences match.').waitFor();
    expect(new URL(page.url()).search).toBe('?kind=EXTRA');
    await page.getByRole('button', { name: 'Clear' }).click();

    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('s');
    const dialog = page.getByRole('alertdialog', { name: `Sign off the reconciliation of ${book.code}` });
    await dialog.getByText('You sign as Priya Raman.').waitFor();
    await expectAccessible();
    await dialog.getByLabel('Reason').fill('One account comes by hand: ticket 4711.');
    expect(await dialog.getByRole('button', { name: 'Sign off' }).isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${book.code} to confirm`).fill(book.code);
    await dialog.getByRole('button', { name: 'Sign off' }).click();
    const signedOff = page.getByRole('region', { name: 'Verdict' }).getByRole('region', { name: 'Sign-off' });
    await signedOff.getByText('Signed off by Priya Raman').waitFor();
    await signedOff.getByText('One account comes by hand: ticket 4711.').waitFor();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Signed report' }).click(),
    ]);
    const [, payload = ''] = (await readFile(await download.path(), 'utf8')).split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      verdict: 'DIFFERENT',
      signed_off: { person: 'Priya Raman' },
    });

    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false);
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
    expect(await page.evaluate<string>('getComputedStyle(document.documentElement).color')).toBe('rgb(22, 33, 31)');
    expectQuiet();
    await page.context().close();
  });

  test('26.6.3 a key without a person is told that it cannot sign', async () => {
    const book = await createBook(1);
    const manifest_id = await book.lodge([{ external_account_number: 'X-1' }]);
    const { id } = await staff.dataImport.createReconciliation.mutate({ manifest_id });
    const { page } = await logIn(`/reconciliations/${id}`, service.staffApiKey);
    await page.getByRole('button', { name: 'Sign off' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Your key names no person').waitFor();
    expect(await dialog.getByRole('textbox').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.context().close();
  });
});
