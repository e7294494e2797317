import type { CausewayClient } from '@causeway/client';
import type { Page } from 'playwright-core';

/** Something of the console that a picture is taken of. */
export interface Place {
  /** The name of the picture. */
  name: string;
  /** Its address below `/console`. */
  address: string;
  /** What is pressed first. */
  prepare?(page: Page): Promise<void>;
}

const press =
  (...keys: string[]) =>
  async (page: Page) => {
    for (const key of keys) await page.keyboard.press(key);
    await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor();
  };

const seeFrame = (page: Page) => page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor();

const sendAgain = async (page: Page) => {
  await page
    .getByRole('button', { name: /^Send again/ })
    .first()
    .click();
  await page.getByRole('alertdialog').waitFor();
};
const misspell = async (page: Page) => {
  await seeFrame(page);
  await page.getByLabel('Subject').fill('Your new account number: {{ account.number }}');
  await page.getByRole('alert').waitFor();
};

/** Every page and the dialogs that are seen most, with what the service of `pnpm demo` has: see `find-examples.ts`. */
export async function placesOf(client: CausewayClient): Promise<Place[]> {
  const found = await findExamples(client);
  const { code, job, reconciliation, completed, failed, problem, organisation, endpoint } = found;
  const migration = `/migrations/${code}`;
  return [
    { name: 'overview', address: '/' },
    { name: 'migration', address: migration },
    { name: 'migration-table', address: `${migration}?table=true&period=day` },
    { name: 'migration-process', address: migration, prepare: press('b') },
    { name: 'migration-complete', address: migration, prepare: press('x') },
    { name: 'problems', address: '/problems' },
    { name: 'problems-of-supplier', address: `/problems?code=${code}` },
    { name: 'problem', address: problem },
    { name: 'accounts', address: '/accounts' },
    { name: 'accounts-found', address: '/accounts?q=HV-39' },
    { name: 'accounts-listed', address: `/accounts?code=${code}` },
    { name: 'account', address: `/accounts/${code}/${completed}` },
    { name: 'account-failed', address: `/accounts/${code}/${failed}` },
    { name: 'account-never-staged', address: `/accounts/${code}/NOBODY` },
    { name: 'jobs', address: '/jobs' },
    ...(job === undefined ? [] : [{ name: 'job', address: `/jobs/${job}` }]),
    { name: 'reconciliations', address: '/reconciliations' },
    { name: 'reconciliation', address: `/reconciliations/${reconciliation}` },
    { name: 'reconciliation-sign-off', address: `/reconciliations/${reconciliation}`, prepare: press('s') },
    { name: 'organisations', address: '/organisations' },
    { name: 'keys', address: '/keys' },
    { name: 'suppliers', address: '/suppliers' },
    { name: 'supplier', address: `/suppliers/${code}` },
    { name: 'emails', address: `/suppliers/${code}/emails` },
    { name: 'emails-send-again', address: `/suppliers/${code}/emails?account=${completed}`, prepare: sendAgain },
    { name: 'emails-sent', address: `/suppliers/${code}/emails?state=SENT` },
    { name: 'emails-of-account', address: `/suppliers/${code}/emails?account=${completed}` },
    { name: 'templates', address: `/suppliers/${code}/templates` },
    { name: 'template', address: `/suppliers/${code}/templates/en`, prepare: seeFrame },
    { name: 'template-refused', address: `/suppliers/${code}/templates/en`, prepare: misspell },
    { name: 'suppressions', address: `/suppliers/${code}/suppressions` },
    { name: 'webhooks', address: `/organisations/${organisation}/webhooks` },
    ...(endpoint === undefined
      ? []
      : [{ name: 'webhook', address: `/organisations/${organisation}/webhooks/${endpoint}` }]),
    { name: 'teams', address: '/teams' },
    { name: 'audit', address: '/audit' },
    { name: 'keyboard', address: '/', prepare: press('?') },
    { name: 'nowhere', address: '/nowhere' },
  ];
}

/** Of the import supplier with most accounts: one of each thing that has a page. */
async function findExamples(client: CausewayClient) {
  const migrations = await client.overview.migrations.query();
  const [most] = migrations.toSorted((one, other) => other.completed - one.completed);
  if (most === undefined) throw new Error('The service has no import supplier: run `pnpm demo` first.');
  const { code } = most;
  const jobs = await client.dataImport.listBulkJobs.query({ import_supplier: code, limit: 1_000 });
  const list = (state: 'COMPLETED' | 'FAILED' | 'STAGED') =>
    client.accountImports.list.query({ code, state, limit: 1 });
  const [completed] = await list('COMPLETED');
  const [problem] = await client.dataImport.listProblems.query({ import_supplier_code: code, limit: 1 });
  const [failed] = [...(await list('FAILED')), ...(await list('STAGED'))];
  const { organisation_id: organisation } = await client.importSuppliers.get.query({ code });
  const [endpoint] = await client.dataImport.listWebhookEndpoints.query({ organisation_id: organisation });
  const number = completed?.external_account_number ?? '';
  const { operation = '', code: kind = '', attr = '', sample_account_numbers: samples = [] } = problem ?? {};
  return {
    ...{ code, organisation, endpoint: endpoint?.id },
    job: jobs.at(-1)?.id,
    reconciliation: most.last_reconciliation?.id ?? '',
    completed: number,
    failed: samples[0] ?? failed?.external_account_number ?? number,
    problem: `/migrations/${code}/problems/${operation}/${kind}?attr=${encodeURIComponent(attr)}`,
  };
}
