import { createClient } from '@causeway/client';
import { obtainTokens } from '@causeway/rest-client/portable';
import { HAS_BROWSER } from '@causeway/testing/browser';
import { describe, expect, test } from 'vitest';
import { logIn, openConsole, service } from './support/open-console.ts';

const { url, staffApiKey } = service;
const staff = createClient({ url, apiKey: staffApiKey });

describe.skipIf(!HAS_BROWSER)('logging in', () => {
  test('26.2.1 leads back to the address that was asked for, and keeps the key nowhere', async () => {
    const { page, expectQuiet, expectAccessible, open } = await openConsole();
    await open('/accounts?q=HV-1');
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await expectAccessible();
    await page.getByLabel('Staff key').fill(staffApiKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/console/accounts?q=HV-1');
    const kept = await page.evaluate<string>(
      'JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage), document.cookie])',
    );
    expect(kept).toContain('causeway.refresh-token');
    expect(kept).not.toContain(staffApiKey);
    expectQuiet();
    await page.context().close();
  });

  test('26.2.2 a key of an organisation is told where it belongs, a wrong one that it is not valid', async () => {
    const { id: organisation_id } = await staff.organisations.create.mutate({ name: 'Northwind at the wrong door' });
    const { api_key } = await staff.apiKeys.issue.mutate({ organisation_id, label: 'wrong door' });
    const { page, open } = await openConsole();
    await open('/');
    await page.getByLabel('Staff key').fill(api_key);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('This is a key of Northwind at the wrong door. The console is for the service team').waitFor();
    expect(await page.evaluate<number>('sessionStorage.length')).toBe(0);
    await page.getByLabel('Staff key').fill('cw_staff_wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('This key is not valid, or was revoked.').waitFor();
    await page.context().close();
  });

  test('26.2.2 26.2.3 a link of an organisation logs nobody in, and says why', async () => {
    const { id: organisation_id } = await staff.organisations.create.mutate({ name: 'Northwind with a link' });
    const { api_key } = await staff.apiKeys.issue.mutate({ organisation_id, label: 'link' });
    const { refreshToken } = await obtainTokens(url, { apiKey: api_key });
    const { page, open, expectAccessible } = await openConsole();
    await open(`/#refresh=${refreshToken}`);
    await page.getByText('This is a key of Northwind with a link. The console is for the service team').waitFor();
    await expectAccessible();
    expect(page.url()).not.toContain('refresh');
    expect(await page.evaluate<number>('sessionStorage.length')).toBe(0);
    await page.context().close();
  });

  test('26.2.3 a link takes nobody out of a login, in its tab or in another one, and says so', async () => {
    const [own, other] = await Promise.all(
      ['The one who works', 'Somebody else'].map((label) => staff.apiKeys.issueStaff.mutate({ label })),
    );
    const { refreshToken } = await obtainTokens(url, { apiKey: other?.api_key ?? '' });
    const { page, expectQuiet, expectAccessible } = await logIn('/teams', own?.api_key);
    const second = await page.context().newPage();
    await second.goto(`${url}/console/#refresh=${refreshToken}`);
    await page.goto(`${url}/console/teams#refresh=${refreshToken}`);
    for (const tab of [page, second]) {
      await tab.getByText('The link to log in was not used: you are logged in as The one who works.').waitFor();
      await tab.getByRole('button', { name: 'The one who works: you' }).waitFor();
      expect(tab.url()).not.toContain('refresh');
    }
    await expectAccessible();
    expectQuiet();
    // Over already, that login is in nobody's way.
    await staff.apiKeys.revoke.mutate({ id: own?.id ?? '' });
    const third = await page.context().newPage();
    await third.goto(`${url}/console/#refresh=${refreshToken}`);
    await third.getByRole('button', { name: 'Somebody else: you' }).waitFor();
    await page.context().close();
  });

  test.each(['https://evil.example/x', '//evil.example/x', 'javascript:alert(1)', '/docs', '/console/../docs'])(
    '26.2.1 leads to no address but those of the console: not to %s',
    async (to) => {
      const { page, open, expectQuiet } = await openConsole();
      await open(`/login?to=${encodeURIComponent(to)}`);
      await page.getByLabel('Staff key').fill(staffApiKey);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(page.url()).toBe(`${url}/console/`);
      expectQuiet();
      await page.context().close();
    },
  );

  test('26.2.3 the link of the demo logs in any browser while its token is taken, and is gone from the address at once', async () => {
    const { refreshToken } = await obtainTokens(url, { apiKey: staffApiKey });
    const { page, open, expectQuiet } = await openConsole();
    await open(`/#refresh=${refreshToken}`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).not.toContain('refresh');
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const elsewhere = await openConsole();
    await elsewhere.open(`/#refresh=${refreshToken}`);
    await elsewhere.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await elsewhere.page.context().close();
    expectQuiet();
    await page.context().close();
  });

  test('26.2.4 26.2.5 who is logged out, or whose key is revoked, is back at the login page, in each tab of the login', async () => {
    const { id, api_key } = await staff.apiKeys.issueStaff.mutate({ label: 'Somebody for a day' });
    const { page, open } = await openConsole();
    await open('/accounts');
    await page.getByLabel('Staff key').fill(api_key);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Somebody for a day' }).waitFor();
    await staff.apiKeys.revoke.mutate({ id });
    await page.reload();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(page.url()).toContain('to=%2Fconsole%2Faccounts');
    await page.context().close();

    const other = await logIn('/jobs');
    const second = await other.page.context().newPage();
    await second.goto(`${url}/console/teams`);
    await second.getByRole('heading', { name: 'Operations teams' }).waitFor();
    const refreshToken = await other.page.evaluate<string>("sessionStorage.getItem('causeway.refresh-token')");
    await other.page.getByRole('button', { name: /: you$/ }).click();
    await other.page.getByRole('menuitem', { name: 'Log out' }).click();
    await other.page.getByRole('heading', { name: 'Log in' }).waitFor();
    await second.getByRole('heading', { name: 'Log in' }).waitFor();
    for (const page of [other.page, second]) expect(await page.evaluate<number>('sessionStorage.length')).toBe(0);
    // A copy is ended with the key.
    expect(await obtainTokens(url, { refreshToken })).toHaveProperty('token');
    await other.page.context().close();
  });
});
