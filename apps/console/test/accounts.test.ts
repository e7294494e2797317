import { readFile } from 'node:fs/promises';
import { createClient } from '@causeway/client';
import { AccountPayload } from '@causeway/contracts';
import { mpanOf } from '@causeway/realistic-books';
import { HAS_BROWSER } from '@causeway/testing/browser';
import { beforeAll, describe, expect, test } from 'vitest';
import { logIn, service } from './support/open-console.ts';

const { url, staffApiKey } = service;
const staff = createClient({ url, apiKey: staffApiKey });
const CODE = 'CONSOLE-ACCOUNTS';
const TEAM = 'Team of the accounts';
const [example] = (AccountPayload.meta()?.examples ?? []) as [AccountPayload];
/** Of no other test: the service is theirs too. */
const TODAY = new Date().toISOString().slice(0, 10);
const FAMILY_NAME = 'Featherstonehaugh';
const [customer] = example.customers ?? [];
const payload = (external_account_number: string): AccountPayload => ({
  ...example,
  import_supplier: CODE,
  external_account_number,
  customers: [{ ...customer, family_name: FAMILY_NAME }],
  // Each has a meter point of its own: one in two accounts would be remarked.
  supply_addresses: example.supply_addresses?.map((address) => ({
    ...address,
    meter_points: address.meter_points?.map((point) => ({
      ...point,
      identifier: mpanOf(external_account_number.slice(3).padStart(12, '1')),
    })),
  })),
});
const wrong = (number: string) => {
  return { ...payload(number), customers: [{ ...customer, landline: '12' }] } as AccountPayload;
};

/** CA-1 was created; CA-2 and CA-3 are staged and were refused since; CA-9 was refused and never staged. */
beforeAll(async () => {
  const { id: organisation_id } = await staff.organisations.create.mutate({ name: 'Accounts in the console' });
  await staff.operationsTeams.create.mutate({ name: TEAM, organisation_id });
  await staff.importSuppliers.create.mutate({ code: CODE, name: 'Accounts', organisation_id, country: 'GB' });
  for (const number of ['CA-1', 'CA-2', 'CA-3']) await staff.dataImport.stageAccount.mutate(payload(number));
  const process = { import_supplier_code: CODE, external_account_number: 'CA-1', operations_team_name: TEAM };
  await staff.dataImport.processAccount.mutate(process);
  await staff.dataImport.importTransactions.mutate({
    ...{ import_supplier: CODE, external_account_number: 'CA-1' },
    transactions: [{ transaction_id: 'CA-1-T', type: 'PAYMENT', amount: '48.20', transaction_date: TODAY }],
  });
  for (const number of ['CA-2', 'CA-3', 'CA-9']) {
    await expect(staff.dataImport.stageAccount.mutate(wrong(number))).rejects.toThrow();
  }
});

describe.skipIf(!HAS_BROWSER)('the pages of accounts and problems', () => {
  test('26.8.1 26.8.3 a customer is found by name, and shown only after the view is recorded', async () => {
    const { page, open, expectQuiet, expectAccessible } = await logIn('/accounts');
    await page.getByRole('searchbox', { name: 'Find' }).fill(FAMILY_NAME);
    await page.getByRole('cell', { name: 'name', exact: true }).waitFor();
    await expectAccessible();
    await page.getByRole('link', { name: 'CA-1', exact: true }).click();
    await page.getByRole('heading', { name: 'CA-1', level: 1 }).waitFor();
    const data = page.getByRole('region', { name: 'Data of the account' });
    await data.getByText('hidden').first().waitFor();
    expect(await data.textContent()).not.toContain(FAMILY_NAME);
    await expectAccessible();
    await page.getByRole('button', { name: 'Show personal data' }).click();
    await expect.poll(() => data.textContent()).toContain(FAMILY_NAME);
    await page.getByRole('button', { name: 'Show transactions' }).click();
    await page.getByRole('table', { name: 'Transactions' }).getByText('Payment').waitFor();
    await page.getByRole('region', { name: 'Timeline', exact: true }).getByText('payload viewed').nth(1).waitFor();
    await open(`/accounts?code=${CODE}&state=STAGED`);
    await page.getByRole('link', { name: 'CA-2', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'CA-1', exact: true }).count()).toBe(0);
    expectQuiet();
    await page.context().close();
  });

  test('26.8.1 an account that was created in part says so in the list, and where it is found', async () => {
    const reference = { import_supplier: CODE, external_account_number: 'CA-5' };
    await staff.dataImport.stageAccount.mutate({ ...payload('CA-5'), customers: [{ family_name: 'Hartley' }] });
    const process = { import_supplier_code: CODE, external_account_number: 'CA-5', operations_team_name: TEAM };
    await staff.dataImport.processAccount.mutate(process);
    await expect(staff.dataImport.importNotes.mutate({ ...reference, notes: [{ body: '' }] })).rejects.toThrow();
    const { page, open, expectQuiet, expectAccessible } = await logIn(`/accounts?code=${CODE}`);
    for (const address of [`/accounts?code=${CODE}`, `/accounts?q=CA-5&code=${CODE}`, '/accounts?q=CA-5']) {
      await open(address);
      await page.getByRole('row', { name: /CA-5/ }).getByText('part refused').waitFor();
      expect(await page.getByText('part refused').count()).toBe(1);
      await expectAccessible();
    }
    expectQuiet();
    await page.context().close();
  });

  test('26.8.2 26.1.5 a refusal stands at its field; once it is fixed, the page shows it by itself', async () => {
    const { page, open, readAgain, expectQuiet } = await logIn(`/accounts/${CODE}/CA-2`);
    await page.getByRole('note', { name: 'Refused: customers.0.landline' }).waitFor();
    await page.getByRole('heading', { name: 'Refused or doubtful, and not corrected since' }).waitFor();
    expectQuiet();
    await staff.dataImport.stageAccount.mutate(payload('CA-2'));
    await readAgain();
    await page
      .getByRole('heading', { name: 'Refused or doubtful, and not corrected since' })
      .waitFor({ state: 'detached' });
    await open(`/accounts/${CODE}/CA-9`);
    await page.getByText(`Nothing was ever staged under this number for ${CODE}.`).waitFor();
    await page.getByText('stage refused: account failed validation').waitFor();
    await page.context().close();
  });

  test('26.8.2 14.6.10 a refusal of what is not to come is dismissed with a reason, and the account is complete', async () => {
    const reference = { import_supplier: CODE, external_account_number: 'CA-6' };
    await staff.dataImport.stageAccount.mutate({ ...payload('CA-6'), customers: [{ family_name: 'Hartley' }] });
    const process = { import_supplier_code: CODE, external_account_number: 'CA-6', operations_team_name: TEAM };
    await staff.dataImport.processAccount.mutate(process);
    await expect(staff.dataImport.importNotes.mutate({ ...reference, notes: [{ body: '' }] })).rejects.toThrow();
    const { page, expectQuiet, expectAccessible } = await logIn(`/accounts/${CODE}/CA-6`);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Dismiss: notes refused' });
    await dialog.getByRole('textbox').fill('The supplier has no such note');
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('It was moved, and nothing is refused.').waitFor();
    await page.getByText('The supplier has no such note').waitFor();
    expectQuiet();
    await page.context().close();
  });

  test('26.8.2 whether something was refused is said once it is known, also under a number that nobody knows', async () => {
    const { page, open } = await logIn('/accounts');
    const said = page.getByText('What was sent was refused: the reason stands below.');
    const answers = Promise.withResolvers<void>();
    await page.route(/accounts\.timeline/, async (asked) => {
      await answers.promise;
      await asked.fulfill({ status: 500, body: '' });
    });
    await open(`/accounts/${CODE}/CA-9`);
    await page.getByText(`Nothing was ever staged under this number for ${CODE}.`).waitFor();
    expect(await said.count()).toBe(0);
    answers.resolve();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await said.count()).toBe(0);
    await page.unroute(/accounts\.timeline/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await said.waitFor();
    await open(`/accounts/${CODE}/CA-NOBODY`);
    await page.getByText('Nothing was refused under it either').waitFor();
    expect(await said.count()).toBe(0);
    await page.context().close();
  });

  test('26.8.2 nothing of the account before is shown under the heading of the next one', async () => {
    const { page } = await logIn(`/accounts/${CODE}/CA-1`);
    const entries = page.getByRole('table', { name: 'Entries of the timeline' });
    await entries.getByText('processed').waitFor();
    await page.route(/accounts\.timeline.*CA-2/, () => undefined);
    await page.evaluate(`history.pushState({}, '', '/console/accounts/${CODE}/CA-2')`);
    await page.getByRole('heading', { name: 'CA-2', level: 1 }).waitFor();
    expect(await entries.count()).toBe(0);
    await page.context().close();
  });

  test('26.8.5 the accounts of a problem are a file, and are skipped by reason and code', async () => {
    const { page, expectQuiet, expectAccessible } = await logIn(`/problems?code=${CODE}`);
    await page.getByRole('link', { name: /^invalid phone number/ }).click();
    await page.getByText(`For example: `).waitFor();
    await page.getByRole('link', { name: 'CA-3', exact: true }).waitFor();
    const begun = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Download all/ }).click();
    const file = await readFile(await (await begun).path(), 'utf8');
    const lines = file
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({ external_account_number: 'CA-3', code: 'invalid_phone_number', step: 'stage' }),
    );
    await expectAccessible();
    await page.getByRole('button', { name: /^Skip these/ }).click();
    const skip = page.getByRole('button', { name: /^Skip \d+ accounts?$/ });
    await page.getByLabel('Reason').fill('No valid telephone');
    expect(await skip.isDisabled()).toBe(true);
    await page.getByLabel(`Type ${CODE} to confirm`).fill(CODE);
    await expectAccessible();
    await skip.click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    const skipped = await staff.accountImports.get.query({ code: CODE, external_account_number: 'CA-3' });
    expect(skipped).toMatchObject({ state: 'SKIPPED', skip_reason: 'No valid telephone' });
    expectQuiet();
    await page.context().close();
  });

  test('26.8.6 an account is undone by its number, after the figures, and says so', async () => {
    const one = { code: CODE, external_account_number: 'CA-21' };
    await staff.dataImport.stageAccount.mutate({ ...payload('CA-21'), customers: [{ family_name: 'Ramsbottom' }] });
    const process = { import_supplier_code: CODE, external_account_number: 'CA-21', operations_team_name: TEAM };
    await staff.dataImport.processAccount.mutate(process);
    const { page, expectQuiet, expectAccessible, readAgain } = await logIn(`/accounts/${CODE}/CA-21`);
    await page.getByText('It was moved, and nothing is refused.').waitFor();
    const button = page.getByRole('button', { name: 'Undo', exact: true });
    expect(await button.count()).toBe(0);
    await staff.importSuppliers.update.mutate({ code: CODE, undo_hours: 24 });
    await readAgain();
    await button.click();
    const dialog = page.getByRole('alertdialog', { name: `Undo CA-21 of ${CODE}` });
    await dialog.getByText('0, 0.00').first().waitFor();
    await expectAccessible();
    const confirm = dialog.getByRole('button', { name: 'Undo', exact: true });
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Moved with the wrong tariff');
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox', { name: 'Type CA-21 to confirm' }).fill('CA-21');
    await confirm.click();
    await page.getByText('Its data has arrived').waitFor();
    await page.getByRole('region', { name: 'Timeline', exact: true }).getByText('undone').first().waitFor();
    expect(await staff.accountImports.get.query(one)).toMatchObject({ state: 'STAGED', service_account_number: null });
    await expectAccessible();
    expectQuiet();
    await page.context().close();
  });

  test('26.7.2 26.8.2 26.8.3 what is skipped is taken back, what is erased says so, and who only reads sees no personal data', async () => {
    const one = { code: CODE, external_account_number: 'CA-4' };
    await staff.dataImport.stageAccount.mutate(payload('CA-4'));
    await staff.accountImports.skip.mutate({ ...one, reason: 'By mistake' });
    const { page, expectQuiet, expectAccessible, readAgain } = await logIn(`/accounts/${CODE}/CA-4`);
    await page.getByText('It is not moved: By mistake').waitFor();
    await page.getByRole('button', { name: 'Unskip' }).waitFor();
    await page.keyboard.press('s');
    const dialog = page.getByRole('alertdialog', { name: `Unskip CA-4 of ${CODE}` });
    await dialog.waitFor();
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Unskip' }).click();
    await page.getByText('Its data has arrived').waitFor();
    await staff.accounts.erase.mutate({ ...one, reason: 'Ticket 12' });
    await readAgain();
    await page.getByText('Its personal data was erased.').waitFor();
    expect(await page.getByRole('button', { name: 'Show personal data' }).count()).toBe(0);
    await expectAccessible();
    expectQuiet();
    await page.context().close();
    const { api_key } = await staff.apiKeys.issueStaff.mutate({ label: 'Only reads', role: 'READ_ONLY' });
    const reader = await logIn(`/accounts/${CODE}/CA-2`, api_key);
    await reader.page.getByText('personal data is hidden from read-only keys').waitFor();
    expect(await reader.page.getByRole('button', { name: 'Skip', exact: true }).count()).toBe(0);
    await reader.page.context().close();
    const finder = await logIn('/accounts?q=Nobody', api_key);
    await finder.page.getByText('With a read-only key names and e-mail addresses have to be whole too.').waitFor();
    await finder.page.context().close();
  });
});
