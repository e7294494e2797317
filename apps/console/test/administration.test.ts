import { randomUUID } from 'node:crypto';
import { HAS_BROWSER } from '@causeway/testing/browser';
import { describe, expect, test } from 'vitest';
import { createBook, staff } from './support/move-book.ts';
import { logIn } from './support/open-console.ts';

describe.skipIf(!HAS_BROWSER)('administration', () => {
  test('26.7.1 26.7.2 an administrator creates an organisation, its supplier, a team and a key, which is shown once', async () => {
    const mark = randomUUID().slice(0, 8).toUpperCase();
    const { page, open, expectQuiet, expectAccessible } = await logIn('/organisations');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New organisation' }).waitFor();
    await page.keyboard.press('n');
    await dialog.getByLabel('Name').fill(`Northwind ${mark}`);
    await page.keyboard.press('Enter');
    await expectAccessible();
    await page.getByRole('link', { name: `Northwind ${mark}`, exact: true }).click();
    await page.getByRole('button', { name: 'New import supplier' }).click();
    await dialog.getByLabel('Organisation').selectOption(`Northwind ${mark}`);
    await dialog.getByLabel('Code').fill(`NW-${mark}`);
    await dialog.getByLabel('Name').fill('Northwind, autumn');
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: `NW-${mark}`, level: 1 }).waitFor();

    await open('/teams');
    await page.getByRole('button', { name: 'New team' }).click();
    await dialog.getByLabel('Name').fill(`Support ${mark}`);
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('row', { name: new RegExp(`Support ${mark}`) }).waitFor();

    await open('/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await dialog.getByLabel('What it is for').fill(`Reads ${mark}`);
    await dialog.getByLabel('Person').fill('Priya Raman');
    await dialog.getByLabel('May').selectOption('READ_ONLY');
    await dialog.getByRole('button', { name: 'Issue' }).click();
    const key = (await page.getByLabel('API key', { exact: true }).textContent()) ?? expect.fail('It is shown.');
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    const row = page.getByRole('row', { name: new RegExp(`Reads ${mark}`) });
    await row.getByText('read only').waitFor();
    expect(await page.content()).not.toContain(key);

    const reader = await logIn('/teams', key);
    await reader.page.getByRole('button', { name: 'New team' }).click();
    await reader.page.getByRole('dialog').getByLabel('Name').fill('Not allowed');
    await reader.page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await reader.page.getByRole('alert').getByRole('link', { name: 'permission_denied' }).waitFor();
    await reader.page.context().close();

    await row.getByRole('button', { name: `Revoke Reads ${mark}` }).click();
    await page.getByLabel(`Type Reads ${mark} to confirm`).fill(`Reads ${mark}`);
    await expectAccessible();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('revoked').waitFor();

    await open('/audit');
    await page.getByRole('table', { name: 'Events' }).getByText('revoked').first().waitFor();
    expectQuiet();
    await page.context().close();
  });

  test('26.7.3 settings have the limits of the contracts, and completing what is not ready wants a reason', async () => {
    const { code } = await createBook(1);
    const { page, open, expectQuiet, expectAccessible } = await logIn(`/suppliers/${code}`);
    const limit = page.getByLabel('Process concurrency limit');
    await limit.waitFor();
    await expectAccessible();
    expect([await limit.getAttribute('min'), await limit.getAttribute('max')]).toEqual(['1', '10000']);
    await limit.fill('40');
    await page.getByLabel('Balance check').selectOption('OFF');
    await page.getByLabel('Account types').fill('CHARITY, FARM');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Saved: it counts everywhere within 5 seconds.').waitFor();
    const settings = { process_concurrency_limit: 40, balance_check: 'OFF', account_types: ['CHARITY', 'FARM'] };
    expect(await staff.importSuppliers.get.query({ code })).toMatchObject(settings);

    await page.getByRole('button', { name: 'Complete' }).click();
    const dialog = page.getByRole('alertdialog', { name: `Complete: ${code}` });
    await dialog
      .getByRole('list', { name: 'Conditions that are not met' })
      .getByText(/reconciled/i)
      .waitFor();
    await expectAccessible();
    await dialog.getByLabel(`Type ${code} to confirm`).fill(code);
    expect(await dialog.getByRole('button', { name: 'Complete' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Reason', { exact: true }).fill('It was a trial.');
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await page.getByText(/^.complete$/).waitFor();

    await page.getByRole('link', { name: 'Who did what' }).click();
    await page.getByRole('row', { name: /It was a trial\./ }).waitFor();
    expect(new URL(page.url()).search).toBe(`?subject=import_supplier&code=${code}`);
    await open('/suppliers/NO-SUCH-SUPPLIER');
    await page.getByRole('alert').getByRole('link', { name: 'import_supplier_does_not_exist' }).waitFor();
    await expectAccessible();
    expectQuiet();
    await page.context().close();
  });
});
