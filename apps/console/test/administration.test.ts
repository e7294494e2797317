import { randomUUID } from 'node:crypto';
import { REFUSED_ADDRESS, startWebhookReceiver } from '@causeway/testing';
import { HAS_BROWSER } from '@causeway/testing/browser';
import { describe, expect, test } from 'vitest';
import { createBook, staff } from './support/move-book.ts';
import { logIn } from './support/open-console.ts';
import { createSupplier } from './support/supplier.ts';

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
    expect(await dialog.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Open to').selectOption('all organisations');
    await expectAccessible();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('row', { name: new RegExp(`Support ${mark}`) }).waitFor();

    await open('/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await dialog.getByLabel('What it is for').fill(`Reads ${mark}`);
    const issue = dialog.getByRole('button', { name: 'Issue' });
    expect(await issue.isDisabled()).toBe(true);
    await dialog.getByLabel('Belongs to').selectOption('the service team');
    await dialog.getByLabel('Person').fill('Priya Raman');
    expect(await issue.isDisabled()).toBe(true);
    await dialog.getByLabel('May').selectOption('READ_ONLY');
    await issue.click();
    await dialog.getByText('It belongs to Priya Raman, the service team. It allows: read only').waitFor();
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
    await reader.page.getByRole('dialog').getByLabel('Open to').selectOption('all organisations');
    await reader.page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await reader.page.getByRole('alert').getByRole('link', { name: 'permission_denied' }).waitFor();
    await reader.page.context().close();

    await row.getByRole('button', { name: `Revoke Reads ${mark}` }).click();
    await page.getByLabel(`Type Reads ${mark} to confirm`).fill(`Reads ${mark}`);
    await expectAccessible();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('revoked').waitFor();

    await open('/audit');
    const events = page.getByRole('table', { name: 'Events' });
    await events.getByText('revoked').first().waitFor();
    await events
      .getByRole('link', { name: `key Reads ${mark}` })
      .first()
      .waitFor();
    expectQuiet();
    await page.context().close();
  });

  test('26.7.2 a new key belongs to the organisation whose keys are shown, and says so', async () => {
    const mark = randomUUID().slice(0, 8).toUpperCase();
    const { id } = await staff.organisations.create.mutate({ name: `Northwind ${mark}` });
    const { page, expectQuiet } = await logIn(`/keys?organisation=${id}`);
    const dialog = page.getByRole('dialog');
    const { promise: read, resolve: letRead } = Promise.withResolvers<void>();
    await page.route(/organisations\.list/, (route) => read.then(() => route.continue()));
    await page.reload();
    await page.getByRole('button', { name: 'New key' }).click();
    await dialog.getByLabel('What it is for').fill('billing');
    const shown = () => dialog.getByLabel('Belongs to').locator('option:checked').textContent();
    expect(await shown()).toBe('Choose …');
    expect(await dialog.getByRole('button', { name: 'Issue' }).isDisabled()).toBe(true);
    letRead();
    await expect.poll(shown).toBe(`Northwind ${mark}`);
    await dialog.getByRole('button', { name: 'Issue' }).click();
    await dialog.getByText(`It belongs to Northwind ${mark}. It allows: its own accounts.`).waitFor();
    expect(await page.getByLabel('API key', { exact: true }).textContent()).toMatch(/^cw_supplier_/);
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
    await page.getByText('Saved: takes effect everywhere within 5 seconds.').waitFor();
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

  test('26.9.1 26.1.4 an e-mail that was refused stands among the problems, and is sent again', async () => {
    const { code, team, staff, supplier } = await createSupplier();
    await staff.importSuppliers.update.mutate({
      code,
      send_customer_emails: true,
      email_sender: 'moving@harbour.example',
    });
    const one = { external_account_number: 'EM-1', import_supplier_code: code, operations_team_name: team };
    const customers = [{ family_name: 'Hartley', email: REFUSED_ADDRESS }];
    await supplier.dataImport.stageAccount.mutate({ ...one, import_supplier: code, customers });
    await supplier.dataImport.processAccount.mutate(one);
    const refused = async () => (await staff.customerEmails.countUnsettled.query({ code })).refused;
    await expect.poll(refused).toBe(1);

    const { page, open, expectQuiet, expectAccessible, expectFits } = await logIn(`/problems?code=${code}`);
    await page.getByRole('link', { name: '1 e-mail to customers' }).click();
    const row = page.getByRole('row', { name: /EM-1/ });
    await row.getByText('The mail server refused it: its rules do not allow the e-mail.').waitFor();
    await row.getByText('554 5.7.1 We do not want it').waitFor();
    await expectAccessible();
    await expectFits();
    await row.getByRole('button', { name: 'Send again: EM-1, the first customer' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByLabel('State').selectOption('given up');
    await page.getByText('No e-mail is given up.').waitFor();
    await expect.poll(refused).toBe(1);

    await open(`/accounts/${code}/EM-1`);
    const timeline = page.getByRole('table', { name: 'Entries of the timeline' });
    await timeline.getByText('email sent again').waitFor();
    await timeline.getByText(/^▲ E-mail to the first customer refused/).waitFor();
    await page.getByRole('link', { name: 'E-mails: 1 refused' }).click();
    await row.waitFor();
    expect(new URL(page.url()).search).toBe('?account=EM-1');
    expectQuiet();
    await page.context().close();
  });

  test('26.9.2 26.9.3 26.1.4 a template is written, seen and saved; an address is kept from e-mails, hidden until asked for', async () => {
    const { code, staff } = await createSupplier();
    const { page, expectQuiet, expectAccessible, expectFits } = await logIn(`/suppliers/${code}`);
    await page.getByRole('link', { name: 'E-mails', exact: true }).click();
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('link', { name: 'English (en)' }).waitFor();
    await expectAccessible();
    await page.getByRole('button', { name: 'New language' }).click();
    await page.getByRole('dialog').getByLabel('Language').fill('cy');
    await page.keyboard.press('Enter');
    const subject = page.getByRole('textbox', { name: 'Subject' });
    await subject.fill('Croeso {{ customer.givenname }}');
    await page.getByRole('alert').getByText('undefined variable: customer.givenname').waitFor();
    expect(await subject.getAttribute('aria-invalid')).toBe('true');
    await expectAccessible();
    await expectFits();
    await subject.fill('Croeso {{ customer.given_name }}');
    await page.getByRole('textbox', { name: 'HTML' }).fill('<p style="color: rgb(1, 2, 3)">I {{ customer.name }}</p>');
    const paragraph = page.frameLocator('iframe').getByText("I Zoë O'Hartley & Sons");
    await paragraph.waitFor();
    expect(await paragraph.evaluate((shown) => getComputedStyle(shown).color)).toBe('rgb(1, 2, 3)');
    await page.getByText('Croeso Zoë').waitFor();
    await page.getByRole('button', { name: 'Save as version 1' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 1, used').waitFor();
    const stored = await staff.emailTemplates.get.query({ code, language: 'cy' });
    expect(stored).toMatchObject({ version: 1, subject: 'Croeso {{ customer.given_name }}' });

    await page.getByRole('link', { name: 'Suppression list' }).click();
    await page.getByText('The list is empty: every address gets its e-mails.').waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog').getByLabel('Address').fill('sam@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /^hidden The service team added it\./ }).waitFor();
    await expectAccessible();
    await expectFits();
    await page.getByRole('button', { name: 'Show addresses' }).click();
    await page.getByRole('button', { name: 'Remove sam@example.com' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The list is empty: every address gets its e-mails.').waitFor();
    const trail = await staff.audit.list.query({ subject: 'import_supplier', code });
    expect(trail.map(({ action }) => action)).toContain('email_suppressions_viewed');
    expectQuiet();
    await page.context().close();
  });

  test('26.9.4 26.1.4 the messages of a webhook are seen with what its receiver said, and sent again', async () => {
    const receiver = await startWebhookReceiver();
    receiver.behave({ kind: 'answer', status: 200, body: 'Thank you' });
    const { code, staff, supplier, move } = await createSupplier();
    const description = `Order desk ${code}`;
    const of = { event_types: ['account.staged' as const], import_suppliers: [code] };
    const hook = { url: `${receiver.url}/hook`, description, ...of };
    await supplier.dataImport.createWebhookEndpoint.mutate(hook);
    await move('WH-1', { isCreated: false });
    const { organisation_id } = await staff.importSuppliers.get.query({ code });
    const { page, expectQuiet, expectAccessible, expectFits } = await logIn('/organisations');
    await page.locator(`a[href="/console/organisations/${organisation_id}/webhooks"]`).click();
    await page
      .getByRole('row', { name: new RegExp(description) })
      .getByRole('cell', { name: code, exact: true })
      .waitFor();
    await expectAccessible();
    await page.getByRole('link', { name: description }).click();
    await page.getByRole('definition').getByRole('link', { name: code, exact: true }).waitFor();
    const row = page.getByRole('row', { name: /account\.staged/ });
    await row.getByText('Thank you').waitFor();
    await page.getByLabel('State').selectOption('delivered');
    await row.waitFor();
    expect(new URL(page.url()).search).toBe('?state=DELIVERED');
    await page.getByRole('button', { name: 'Clear' }).click();
    receiver.behave({ kind: 'answer', status: 503, body: 'Down for repairs' });
    await row.getByRole('button', { name: /^Send again/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send again' }).click();
    await row.getByText(/^It was refused, with status 503\./).waitFor();
    await row.getByText('Down for repairs').waitFor();
    await expectAccessible();
    await expectFits();
    expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(1);
    expectQuiet();
    await page.context().close();
    await receiver.close();
  });
});
