import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CreateImportSupplierRequest, UpdateImportSupplierRequest } from '@causeway/contracts';
import { describe, expect, it } from 'vitest';
import { SUPPLIER_FLAGS } from '../src/admin/supplier-flags.ts';
import { causeway, failure, temporaryFolder } from './support/causeway.ts';
import { createSupplier, query, staffVariables } from './support/supplier.ts';

const admin = (words: readonly string[], running: Parameters<typeof causeway>[1] = {}) =>
  causeway(['admin', ...words], { variables: staffVariables(), ...running });

describe('admin', () => {
  it('25.8.1 the commands of the operations manual make the first supplier, whose key works', async () => {
    const directory = await temporaryFolder();
    const manual = await readFile(path.join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
    const commands = manual.match(/^causeway admin .*$/gm) ?? [];
    for (const command of commands) {
      const [line = '', file] = command.split(' > ');
      const words = line.split(/ ('[^']*'|[^ ]+)/).filter((word) => word.trim() !== '');
      const ended = await causeway(
        words.slice(1).map((word) => word.replaceAll("'", '')),
        { variables: staffVariables() },
      );
      expect(ended, ended.stderr).toMatchObject({ code: 0 });
      if (file !== undefined) await writeFile(path.join(directory, file), ended.stdout);
    }
    expect(commands.length).toBeGreaterThan(4);
    const { CAUSEWAY_URL = '' } = staffVariables();
    const words = ['whoami', '--api-key-file', 'northwind.key', '--json'];
    const whoami = await causeway(words, { directory, variables: { CAUSEWAY_URL } });
    expect(whoami.json()).toMatchObject({
      key: { kind: 'supplier', organisation: { name: 'Northwind' } },
      import_suppliers: [{ code: 'NORTHWIND-2026', status: 'ONGOING' }],
    });
  });

  it('25.8.2 every setting of an import supplier is a flag, and is stored as it was given', async () => {
    const { organisationId } = await createSupplier();
    const fields = SUPPLIER_FLAGS.map(({ field }) => field);
    const others = ['code', 'organisation_id', 'name', 'reject_undocumented_fields'];
    expect([...fields, ...others].sort()).toEqual(Object.keys(CreateImportSupplierRequest.shape).sort());
    expect([...fields, 'code', 'name', 'reject_undocumented_fields'].sort()).toEqual(
      Object.keys(UpdateImportSupplierRequest.shape).sort(),
    );

    const code = `ALL-${randomUUID().slice(0, 8).toUpperCase()}`;
    const given = ['--country', 'DE', '--document-root', 'all/2026', '--send-customer-emails', 'no'];
    const emails = ['--email-sender', 'Northwind <moving@northwind.example>', '--email-unsubscribe', 'none'];
    const more = ['--process-concurrency-limit', '40', '--undocumented-fields', 'KEEP', '--empty-means-omitted', 'yes'];
    const rest = ['--statement-amount-unit', 'MINOR', '--account-types', 'FARM,HOUSEBOAT', '--bulk-parallelism', '3'];
    const whose = ['--organisation', organisationId, '--name', 'All settings', '--balance-check', 'REFUSE'];
    const created = await admin([
      'suppliers',
      'create',
      code,
      ...whose,
      ...given,
      ...emails,
      ...more,
      ...rest,
      '--json',
    ]);
    expect(created, created.stderr).toMatchObject({ code: 0 });
    const changes = ['--process-concurrency-limit', 'none', '--account-types', '', '--name', 'Fewer'];
    expect((await admin(['suppliers', 'update', code, ...changes])).code).toBe(0);

    const [row] = await query('SELECT * FROM import_suppliers WHERE code = $1', [code]);
    const kept = { country: 'DE', document_root: 'all/2026', send_customer_emails: false, balance_check: 'REFUSE' };
    const units = {
      ...{ email_sender: 'Northwind <moving@northwind.example>', email_unsubscribe: null },
      empty_means_omitted: true,
      statement_amount_unit: 'MINOR',
    };
    const changed = { process_concurrency_limit: null, account_types: [], name: 'Fewer', bulk_parallelism: 3 };
    expect(row).toMatchObject({ ...kept, ...units, ...changed });
    const shown = await admin(['suppliers', 'show', code, '--json']);
    const unready = { undocumented_fields: 'KEEP', readiness: { ready: false } };
    expect(shown.json()).toMatchObject({ ...kept, ...units, ...changed, ...unready });
    expect((await admin(['suppliers', 'show', code])).stdout).toContain('✗ ');
    expect((await admin(['suppliers', 'list', '--organisation', organisationId])).stdout).toContain(`${code}  `);
  });

  it('25.8.3 a key is on standard output alone, once, and ends when it is revoked', async () => {
    const supplier = await createSupplier();
    const whose = ['--organisation', supplier.organisationId];
    const issued = await admin(['keys', 'issue', ...whose, '--label', 'second']);
    const apiKey = issued.stdout.trim();
    expect(issued).toMatchObject({ code: 0, stdout: expect.stringMatching(/^cw_supplier_\w+\n$/) });
    expect(issued.stderr).not.toContain(apiKey);
    expect(issued.stderr).toMatch(/belongs to .*, for its own accounts/);
    const listed = await admin(['keys', 'list', ...whose, '--json']);
    expect(listed.stdout).not.toContain(apiKey);
    const id = listed.json().keys.find(({ label }: { label: string }) => label === 'second').id;
    const variables = { CAUSEWAY_URL: supplier.url, CAUSEWAY_API_KEY: apiKey };
    expect((await causeway(['whoami'], { variables })).code).toBe(0);
    expect((await admin(['keys', 'revoke', id])).code).toBe(0);
    expect((await causeway(['whoami'], { variables })).code).toBe(4);
  });

  it('25.8.3 a key that may only read is issued to the service team, and to nobody else', async () => {
    const { organisationId, url } = await createSupplier();
    const issue = ['keys', 'issue', '--label', 'look', '--read-only'];
    const issued = await admin([...issue, '--staff', '--person', 'Priya Raman']);
    expect(issued.stderr).toContain('belongs to Priya Raman, the service team, read only.');
    const apiKey = issued.stdout.trim();
    const variables = { CAUSEWAY_URL: url, CAUSEWAY_API_KEY: apiKey };
    expect((await admin(['organisations', 'list'], { variables })).code).toBe(0);
    const refused = await admin(['organisations', 'create', `By a reader ${organisationId}`], { variables });
    expect(refused).toMatchObject(failure(4, 'read-only'));
    expect((await admin(['keys', 'list'])).stdout).toContain('read-only');
    expect((await admin([...issue, '--organisation', organisationId])).code).toBe(2);
  });

  it('25.8.4 a status changes once the code is typed, or with --yes, and not otherwise', async () => {
    const { code } = await createSupplier();
    const pause = ['suppliers', 'status', code, 'paused'];
    const statusNow = async () =>
      (await query<{ status: string }>('SELECT status FROM import_suppliers WHERE code = $1', [code]))[0]?.status;
    expect(await admin(pause)).toMatchObject(failure(2, '--yes'));
    expect(await admin(pause, { stdin: 'yes\n', columns: 90 })).toMatchObject({ code: 2 });
    expect(await statusNow()).toBe('ONGOING');
    expect(await admin(pause, { stdin: `${code}\n`, columns: 90 })).toMatchObject({ code: 0 });
    expect(await statusNow()).toBe('PAUSED');
    expect((await admin(['suppliers', 'status', code, 'ONGOING', '--yes'])).code).toBe(0);
    expect(await statusNow()).toBe('ONGOING');

    const complete = ['suppliers', 'status', code, 'COMPLETE', '--yes'];
    const refused = await admin(complete);
    expect(refused).toMatchObject(failure(3, '--reason'));
    expect(refused.stderr).toContain('Not ready to be COMPLETE');
    expect((await admin([...complete, '--reason', 'Called off'])).code).toBe(0);
    expect(await statusNow()).toBe('COMPLETE');
  });

  it('25.8.5 says what is wrong, and what to do: no staff key, a name that is taken, an unknown code', async () => {
    const supplier = await createSupplier();
    const name = `Taken ${supplier.code}`;
    expect((await admin(['organisations', 'create', name])).code).toBe(0);
    const cases: [number, string, string[], Record<string, string>?][] = [
      [3, 'organisation_already_exists', ['organisations', 'create', name]],
      [3, 'import_supplier_does_not_exist', ['suppliers', 'show', 'NO-SUCH']],
      [3, 'causeway admin organisations list', ['keys', 'list', '--organisation', 'No such organisation']],
      [3, '--country: ', ['suppliers', 'update', supplier.code, '--country', 'Atlantis']],
      [2, '--send-customer-emails is yes or no', ['suppliers', 'update', supplier.code, '--send-customer-emails', '1']],
      [2, 'suppliers update --help', ['suppliers', 'update', supplier.code]],
      [2, '--organisation NAME', ['keys', 'issue', '--label', 'x']],
      [2, '--person NAME', ['keys', 'issue', '--label', 'x', '--staff', '--full']],
      [2, '--read-only, or --full', ['keys', 'issue', '--label', 'x', '--staff', '--person', 'Priya Raman']],
      [2, '--full is for', ['keys', 'issue', '--label', 'x', '--organisation', 'Northwind', '--full']],
      [4, 'needs a key of the service team', ['organisations', 'list'], supplier.variables],
      [
        4,
        'CW-1101',
        ['organisations', 'list'],
        { ...supplier.variables, CAUSEWAY_API_KEY: `cw_staff_${'x'.repeat(49)}` },
      ],
    ];
    for (const [code, text, words, variables = staffVariables()] of cases) {
      const ended = await admin(words, { variables });
      expect([ended.code, ended.stderr], words.join(' ')).toEqual([code, expect.stringContaining(text)]);
    }
  });
});
