import { putProgressSamples } from '@causeway/testing';
import { HAS_BROWSER } from '@causeway/testing/browser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn, type OpenConsole, service } from './support/open-console.ts';
import { createSupplier, type TestSupplier } from './support/supplier.ts';

let opened: OpenConsole;
let moved: TestSupplier;

const PAGES = [
  ...['Overview', 'Accounts', 'Jobs', 'Reconciliations', 'Problems'],
  ...['Import suppliers', 'Organisations', 'API keys', 'Operations teams', 'Audit'],
];

const row = () => opened.page.getByRole('row', { name: new RegExp(moved.code) });

describe.skipIf(!HAS_BROWSER)('overview and migration', () => {
  beforeAll(async () => {
    moved = await createSupplier();
    await moved.move('HV-1');
    await moved.move('HV-2', { isCreated: false });
    await moved.move('HV-3', { isRefused: true });
    const counts = { staged: 1, failed: 0, skipped: 0, completed: 0, problems: 1 };
    await putProgressSamples(service.databaseUrl, moved.code, [counts, { ...counts, completed: 1 }]);
    opened = await logIn();
  });
  afterAll(() => opened?.page.context().close());

  test('26.3.1 the overview says which migration needs somebody, and leads to it by keys alone', async () => {
    const { page, expectAccessible } = opened;
    await row().getByText('1 completed, 1 left').waitFor();
    await row().getByText('ongoing').waitFor();
    await row().getByText('none yet').waitFor();
    await page.getByText(/^counted .+ ago$/).waitFor();
    await expectAccessible();
    const link = row().getByRole('link', { name: moved.code });
    await page.getByRole('heading', { level: 1 }).focus();
    for (let steps = 0; steps < 50 && !(await link.evaluate((it) => it === document.activeElement)); steps += 1) {
      await page.keyboard.press('j');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: moved.code }).waitFor();
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('H1');
  });

  test('26.3.2 the migration says what is missing for the cutover, and why accounts fail', async () => {
    const { page, expectAccessible } = opened;
    const readiness = page.getByRole('region', { name: 'Ready to cut over?' });
    await readiness.getByText('No bulk job was rehearsed.').waitFor();
    expect(await readiness.getByText('no', { exact: true }).count()).toBeGreaterThan(0);
    const problems = page.getByRole('region', { name: 'Open problems' });
    const problem = problems.getByRole('row', { name: /invalid phone number/ });
    await problem.getByText('customers.*.landline').waitFor();
    await problem.getByRole('link', { name: 'HV-3' }).waitFor();
    await expectAccessible();
  });

  test('26.3.3 what the chart shows is there as a table, at an address of its own', async () => {
    const { page, expectAccessible } = opened;
    const accounts = page.getByRole('region', { name: 'Accounts', exact: true });
    await accounts.getByRole('img', { name: /^Completed accounts: / }).waitFor();
    await accounts.getByRole('button', { name: 'As table' }).click();
    await accounts.getByRole('columnheader', { name: 'Completed' }).waitFor();
    expect(page.url()).toContain('table=true');
    await expectAccessible();
    await accounts.getByRole('button', { name: 'As chart' }).click();
  });

  test('26.3.4 by keys alone: a refused action says why beside its button, and another one is done', async () => {
    const { page, expectAccessible } = opened;
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('x');
    const complete = page.getByRole('alertdialog', { name: `Complete ${moved.code}` });
    await complete.getByText('It is not ready:').waitFor();
    await expectAccessible();
    expect(await complete.getByRole('button', { name: 'Complete' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await complete.waitFor({ state: 'detached' });

    await page.keyboard.press('p');
    const pause = page.getByRole('alertdialog', { name: `Pause ${moved.code}` });
    await pause.getByLabel('Reason').focus();
    await expectAccessible();
    await page.keyboard.type('The supplier asked for it');
    await page.keyboard.press('Enter');
    await page.getByText('paused', { exact: true }).waitFor();
    expect((await moved.staff.importSuppliers.get.query({ code: moved.code })).status).toBe('PAUSED');
    await page.keyboard.press('p');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Resume' }).click();
    await page.getByText('ongoing', { exact: true }).waitFor();
  });

  test('26.3.5 the accounts that wait are rehearsed and processed by jobs, and what is compared needs a manifest', async () => {
    const { page } = opened;
    await page.keyboard.press('c');
    await page.getByRole('alertdialog').getByText('There is no sealed manifest').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reconcile' }).click();
    await page.getByRole('alert').getByText('There is no sealed manifest to compare with.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Rehearse' }).click();
    await page.getByLabel('Operations team that takes them over').selectOption(moved.team);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rehearse' }).click();
    await page.waitForURL(/\/console\/jobs\//);
    const [job] = await moved.supplier.dataImport.listBulkJobs.query({ import_supplier: moved.code });
    expect(job).toMatchObject({ kind: 'PROCESS', run_mode: 'REHEARSAL' });
  });

  test('26.1.3 no page calls another host, writes an error, breaks the policy or has an obstacle in light or dark', async () => {
    const { page, expectAccessible, expectQuiet } = opened;
    await opened.open('/nowhere');
    await page.getByText('There is no page at this address').waitFor();
    await expectAccessible();
    const places = page.getByRole('navigation', { name: 'Pages' });
    expect(await places.getByRole('link').count()).toBe(PAGES.length);
    for (const name of PAGES) {
      await places.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await expectAccessible();
    }
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Go to Jobs').waitFor();
    await expectAccessible();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expectQuiet();
  });

  test('26.1.4 from a telephone to a wall nothing scrolls sideways', async () => {
    const { page, open, expectFits } = opened;
    for (const address of ['/', `/migrations/${moved.code}`, '/audit']) {
      await open(address);
      await page.getByRole('table').first().waitFor();
      await expectFits();
    }
  });
});
