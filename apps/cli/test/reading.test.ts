import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountLine, bookFiles, refusedLine } from './support/books.ts';
import { causeway, failure } from './support/causeway.ts';
import { createSupplier, query } from './support/supplier.ts';

const read = (words: readonly string[]) =>
  causeway([...words, '--supplier', supplier.code], { variables: supplier.variables });

/** Two accounts that were created, and one that was refused. */
const supplier = await createSupplier();
const { code, team, variables } = supplier;
const lines = [accountLine(code, 'A-1'), accountLine(code, 'A,2'), refusedLine(code, 'A-3')];
const words = ['upload', '-', '--supplier', code, '--team', team, '--start', '--watch'];
await causeway(words, { variables, stdin: lines.join('\n') });
const accounts = await query<{ external_account_number: string; number: string }>(
  "SELECT external_account_number, service_account_number AS number FROM account_imports WHERE import_supplier_code = $1 AND state = 'COMPLETED'",
  [code],
);
const numbers = Object.fromEntries(
  accounts.map(({ external_account_number, number }) => [external_account_number, number]),
);

describe('what is stored', () => {
  it('25.6.1 is shown of one account, without its names', async () => {
    const shown = await read(['status', 'A-1']);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain(`A-1 of ${supplier.code}  COMPLETED, complete\n`);
    expect(shown.stdout).toMatch(new RegExp(`account number +${numbers['A-1']}\n`));
    expect(shown.stdout).toMatch(/transactions +1, 76.54\n/);
    expect(shown.stdout).not.toContain('Hartley');
    const json = (await read(['status', 'A,2', '--json'])).json();
    expect(json).toMatchObject({ state: 'COMPLETED', service_account_number: numbers['A,2'], figures: { notes: 0 } });
    expect(json).not.toHaveProperty('account');
    expect(await read(['status', 'nobody'])).toMatchObject(failure(2, 'account_not_found'));
  });

  it('25.6.1 is shown with the types of payment instruction that were refused', async () => {
    const { code, team, variables } = await createSupplier();
    const run = (words: readonly string[], stdin = '') =>
      causeway([...words, '--supplier', code], { variables, stdin });
    const instructions = ['CARD', 'DIRECT_DEBIT'].map((type) => ({
      vendor: 'SANDBOX',
      type,
      reference: 'pm_missing_1',
    }));
    const line = JSON.stringify({ external_account_number: 'A-1', payment_instructions: instructions });
    for (const sent of [accountLine(code, 'A-1'), line]) {
      await run(['upload', '-', '--team', team, '--start', '--watch'], sent);
    }
    const { stdout } = await run(['status', 'A-1']);
    expect(stdout).toContain('  still not imported from this line: CARD, DIRECT_DEBIT\n');
  });

  it('25.6.2 is listed as it comes, and from an account on', async () => {
    const all = await read(['list', '--state', 'imported', '--json-lines']);
    const listed = all.jsonLines().filter(({ event }) => event === 'account');
    expect(listed.map(({ external_account_number }) => external_account_number).sort()).toEqual(['A,2', 'A-1']);
    const [first, second] = listed;
    const behind = await read(['list', '--state', 'imported', '--after', first.external_account_number]);
    expect(behind.stdout).toContain(second.service_account_number);
    expect(behind.stdout.trimEnd().split('\n')).toHaveLength(1);
    expect((await read(['list', '--state', 'pending', '--json'])).json()).toMatchObject({ count: 0, accounts: [] });
  });

  it('25.6.3 is said to be refused by field, with what the field is', async () => {
    const problems = await read(['problems']);
    expect(problems.code).toBe(3);
    expect(problems.stdout).toMatch(/1 {2}\S+ {2}customers\.\*\.family_name\n/);
    expect(problems.stdout).toContain('For example A-3\n');
    const [problem] = (await read(['problems', '--json'])).json().problems;
    expect(problem).toMatchObject({ attr: 'customers.*.family_name', description: expect.any(String), accounts: 1 });
  });

  it('25.6.3 is explained by its code, where the form of the field is not what is wrong', async () => {
    const { code, team, variables } = await createSupplier();
    const run = (words: readonly string[], stdin = '') => causeway(words, { variables, stdin });
    const upload = (lines: readonly string[], ...words: readonly string[]) =>
      run(['upload', '-', '--supplier', code, '--team', team, '--watch', ...words], lines.join('\n'));
    await upload([accountLine(code, 'A-1')], '--start');
    const changed = [accountLine(code, 'A-1', { family_name: 'Other' }), refusedLine(code, 'A-2')];
    const uploaded = await upload(changed, '--start');
    const [, job = ''] = /Job (\S+)\n/.exec(uploaded.stdout) ?? [];
    const shown = [
      uploaded.stdout,
      (await run(['jobs', 'show', job])).stdout,
      (await run(['problems', '--job', job])).stdout,
      (await upload([...changed, ''], '--rehearse')).stdout,
    ];
    for (const text of shown) {
      const words = text.replaceAll(/\s+/g, ' ');
      expect(words).toMatch(
        /differs_from_stored customers For example A-1 The account of the line exists already, .*Nothing was changed/,
      );
      expect(words).not.toContain('NFKC');
      // Of a field that is wrong, still what it is.
      expect(words).toMatch(/customers\.\*\.family_name For example A-2 .*family name/i);
    }
  });

  it('25.6.4 is written as a mapping of numbers, quoted where it must be', async () => {
    const directory = await bookFiles({});
    const { variables, code } = supplier;
    const written = await causeway(['mapping', '--supplier', code, '-o', 'map.csv'], { variables, directory });
    expect(written).toMatchObject({ code: 0, stderr: 'Accounts in map.csv: 2.\n' });
    const lines = (await readFile(path.join(directory, 'map.csv'), 'utf8')).split('\n');
    expect(lines.some((line) => line.startsWith(`"A,2",${numbers['A,2']},`))).toBe(true);
    const ndjson = await read(['mapping', '--form', 'ndjson']);
    const records = ndjson.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ service_account_number }) => service_account_number).sort()).toEqual(
      Object.values(numbers).sort(),
    );
  });
});
