import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createClient } from '@causeway/client';
import { describe, expect, it } from 'vitest';
import { causeway, failure, temporaryFolder } from './support/causeway.ts';
import { createSupplier, type TestSupplier } from './support/supplier.ts';

const AS_OF = '2026-04-16T22:00:00Z';
const ndjson = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

interface Moved {
  number: string;
  balance: string;
  notes?: readonly { body: string }[];
}

/** Moves accounts as the supplier does; one without a name is refused. */
async function move({ url, apiKey, code, team }: TestSupplier, accounts: readonly Moved[]): Promise<void> {
  const { dataImport } = createClient({ url, apiKey });
  for (const { number, balance, notes = [] } of accounts) {
    const account = { import_supplier: code, external_account_number: number, transfer_balance: balance };
    await dataImport.stageAccount.mutate({ ...account, customers: [{ family_name: 'Hartley' }], notes: [...notes] });
    await dataImport.processAccount.mutate({
      ...{ import_supplier_code: code, external_account_number: number, operations_team_name: team },
    });
  }
}

/** A supplier whose source has lodged these lines, in a folder with the manifest and the public keys. */
async function lodged(lines: readonly object[]) {
  const [supplier, directory] = await Promise.all([createSupplier(), temporaryFolder()]);
  const { variables, code, url } = supplier;
  await writeFile(path.join(directory, 'm.ndjson'), ndjson(lines));
  await writeFile(path.join(directory, 'jwks.json'), await (await fetch(`${url}/.well-known/jwks.json`)).text());
  const run = (...words: string[]) => causeway(words, { directory, variables });
  const given = ['--supplier', code, '--source-system', 'Billing', '--as-of', AS_OF];
  expect(await run('manifest', 'lodge', 'm.ndjson', ...given)).toMatchObject({ code: 0 });
  return {
    supplier,
    directory,
    run,
    reconcile: (...words: string[]) => run('reconcile', '--supplier', code, ...words),
  };
}

describe('reconcile and verify', () => {
  it('25.7.4 25.7.5 what is equal ends with 0, and its report verifies offline until a character is changed', async () => {
    const lines = [
      { external_account_number: 'A-1', transfer_balance: '-1048.20', notes: 1 },
      { external_account_number: 'A-2', transfer_balance: '0.00' },
    ];
    const { supplier, directory, reconcile } = await lodged(lines);
    await move(supplier, [
      { number: 'A-1', balance: '-1048.20', notes: [{ body: 'Asked for a paper bill.' }] },
      { number: 'A-2', balance: '0.00' },
    ]);
    const equal = await reconcile('--report', 'report.jws');
    expect(equal).toMatchObject({ code: 0, stdout: expect.stringMatching(/^EQUAL {2}SUPPLIER-/) });
    expect(equal.stdout).toMatch(/transfer_balance +-1,048\.20 +-1,048\.20 +=/);
    expect(equal.stdout).toContain('claimed of 1 of 2 accounts:\n    notes\n');
    expect(equal.stdout).toContain('claimed of no account:\n    by_type, fingerprint, payment_instruction');

    // Without a login, without the service.
    const offline = (...words: string[]) => causeway(['verify', ...words, '--jwks', 'jwks.json'], { directory });
    const verified = await offline('report.jws', '--manifest', 'm.ndjson');
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('m.ndjson matches the digest') });
    expect(verified.stdout).toContain('compared by the supplier');
    const jws = await readFile(path.join(directory, 'report.jws'), 'utf8');
    const at = jws.indexOf('.') + 40;
    const changed = `${jws.slice(0, at)}${jws[at] === 'A' ? 'B' : 'A'}${jws.slice(at + 1)}`;
    await writeFile(path.join(directory, 'changed.jws'), changed);
    await writeFile(path.join(directory, 'other.ndjson'), ndjson(lines.slice(1)));
    expect(await offline('changed.jws')).toMatchObject({ code: 3, stdout: '' });
    // The bits that the last character of a signature leaves unused.
    const spare = jws.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1));
    for (const respelled of [spare, `${jws}.extra`, jws.replace(/.{9}$/, ' $&')]) {
      await writeFile(path.join(directory, 'changed.jws'), respelled);
      expect(await offline('changed.jws')).toMatchObject({ code: 3, stdout: '' });
    }
    expect(await offline('report.jws', '--manifest', 'other.ndjson')).toMatchObject({ code: 3, stdout: '' });
    expect(await offline('jwks.json')).toMatchObject({ code: 3, stdout: '' });
    const online = await causeway(['verify', 'report.jws', '--url', supplier.url, '--json'], { directory });
    expect(online.json()).toMatchObject({ verified: true, report: { verdict: 'EQUAL', signed_off: null } });
  });

  it('25.7.4 25.7.5 what differs ends with 3: totals, each kind with its accounts, and files that verify', async () => {
    const claims = { transfer_balance: '10.01', notes: 0 };
    const { supplier, directory, run, reconcile } = await lodged([
      { external_account_number: 'A-1', ...claims, fingerprint: '1234567' },
      { external_account_number: 'A-2', transfer_balance: '5.00', notes: 0 },
      { external_account_number: 'A-3', ...claims },
    ]);
    await move(supplier, [
      { number: 'A-1', balance: '10.00' },
      { number: 'A-2', balance: '5.00' },
      { number: 'EXTRA-1', balance: '1521.45' },
    ]);
    const refused = {
      import_supplier: supplier.code,
      external_account_number: 'A-3',
      customers: [{ family_name: '' }],
    };
    const { dataImport } = createClient({ url: supplier.url, apiKey: supplier.apiKey });
    await expect(dataImport.stageAccount.mutate(refused)).rejects.toThrow();

    const different = await reconcile('-o', 'differences.csv', '--report', 'report.jws');
    expect(different.code).toBe(3);
    expect(different.stdout).toMatch(/^DIFFERENT {2}/);
    expect(different.stdout).toMatch(/transfer_balance +25\.02 +1,536\.45 +\+1,511\.43/);
    expect(different.stdout).toMatch(
      /DIFFERENT {2}1 account: a figure differs\n {2}A-1 +fingerprint +1234567 +-> +\d+\n {2}A-1 +transfer_balance +10\.01 +-> +10\.00/,
    );
    expect(different.stdout).toMatch(/MISSING {2}1 account: .*\n {2}A-3 +\w+ +customers\.0\.family_name/);
    expect(different.stdout).toContain('EXTRA-1');
    expect(different.stderr).toContain(`causeway problems --supplier ${supplier.code}`);
    const verify = (...words: string[]) => run('verify', 'report.jws', '--jwks', 'jwks.json', ...words);
    expect(await verify('--differences', 'differences.csv')).toMatchObject({ code: 0 });

    // The same reconciliation later, for programs, with the differences in the other form.
    const [, id = ''] = /causeway reconcile --id (\S+)/.exec((await reconcile('--no-watch')).stderr) ?? [];
    const later = await run('reconcile', '--id', id, '-o', 'differences.ndjson', '--json');
    expect(later.code).toBe(3);
    expect(later.json()).toMatchObject({ verdict: 'DIFFERENT', samples: [{ kind: 'DIFFERENT' }, {}, {}] });
    expect(await verify('--differences', 'differences.ndjson')).toMatchObject({ code: 0 });
    const text = await readFile(path.join(directory, 'differences.csv'), 'utf8');
    await writeFile(path.join(directory, 'differences.csv'), text.replace('10.00', '10.01'));
    expect(await verify('--differences', 'differences.csv')).toMatchObject({ code: 3 });
  });

  it('25.7.4 says how to lodge a manifest where none exists; Ctrl-C leaves the comparison to the service', async () => {
    const { code, variables } = await createSupplier();
    expect(await causeway(['reconcile', '--supplier', code], { variables })).toMatchObject(
      failure(3, 'causeway manifest lodge'),
    );
    expect(await causeway(['reconcile'], { variables })).toMatchObject({ code: 2 });

    const { supplier, run } = await lodged([{ external_account_number: 'A-1', notes: 0 }]);
    const stopping = new AbortController();
    // It looks at the clock when it begins to wait.
    const now = () => {
      stopping.abort();
      return new Date();
    };
    const words = ['reconcile', '--supplier', supplier.code];
    const stopped = await causeway(words, { variables: supplier.variables, stop: stopping.signal, now });
    expect(stopped.code).toBe(130);
    const [, id = ''] = /causeway reconcile --id (\S+)/.exec(stopped.stderr) ?? [];
    expect(await run('reconcile', '--id', id)).toMatchObject({ code: 3, stdout: expect.stringMatching(/^DIFFERENT/) });
  });
});
