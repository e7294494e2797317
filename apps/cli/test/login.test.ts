import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileOfProgram } from '@causeway/testing';
import { describe, expect, it } from 'vitest';
import { causeway, failure, openDoor, temporaryFolder } from './support/causeway.ts';
import { createSupplier } from './support/supplier.ts';

describe('the login', () => {
  it('25.1.4 keeps a key that works, readable by its user alone, and the next command uses it', async () => {
    const [{ url, apiKey, code }, home] = await Promise.all([createSupplier(), temporaryFolder()]);
    const variables = { HOME: home };
    const login = await causeway(['login', '--url', `${url}/`], { variables, stdin: `${apiKey}\n` });
    expect(login).toMatchObject({ code: 0, stdout: '' });
    const file = path.join(home, '.config/causeway/credentials.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const whoami = await causeway(['whoami', '--json'], { variables });
    expect(whoami.json()).toMatchObject({ url, import_suppliers: [{ code, status: 'ONGOING' }] });

    expect((await causeway(['logout'], { variables })).code).toBe(0);
    await expect(readFile(file)).rejects.toThrow('ENOENT');
    const after = await causeway(['whoami'], { variables });
    expect(after).toMatchObject(failure(2, 'Run causeway login'));
  });

  it('25.1.8 whoami says whose key it is, and what it may work for', async () => {
    const supplier = await createSupplier();
    const own = await causeway(['whoami'], { variables: supplier.variables });
    expect(own.stdout).toMatch(/The key “test” of Organisation .*\n {2}SUPPLIER-.* {2}ONGOING {2}/);
    const { api_key } = await supplier.staff.apiKeys.issueStaff.mutate({ label: 'console', person: 'Priya Raman' });
    const staff = await causeway(['whoami'], { variables: { ...supplier.variables, CAUSEWAY_API_KEY: api_key } });
    expect(staff.stdout).toContain('The key “console” of Priya Raman, of the service team');
  });

  it('25.1.4 keeps no key that the service refuses', async () => {
    const [{ url }, home] = await Promise.all([createSupplier(), temporaryFolder()]);
    const variables = { HOME: home };
    const login = await causeway(['login', '--url', url], { variables, stdin: 'cw_supplier_invented' });
    expect(login).toMatchObject(failure(4, 'No token'));
    await expect(stat(path.join(home, '.config'))).rejects.toThrow('ENOENT');
  });

  it('25.1.5 sends the key of a login to no other address', async () => {
    const [{ url, apiKey }, home] = await Promise.all([createSupplier(), temporaryFolder()]);
    await causeway(['login', '--url', url], { variables: { HOME: home }, stdin: apiKey });
    const other = await causeway(['whoami', '--url', 'http://127.0.0.1:9'], { variables: { HOME: home } });
    expect(other).toMatchObject(failure(4, 'There is no key for http://127.0.0.1:9'));
  });

  it('25.1.6 takes the key from a file, and a service out of reach ends a command with 6', async () => {
    const directory = await temporaryFolder();
    await writeFile(path.join(directory, 'key.txt'), 'cw_supplier_any\n');
    const words = ['whoami', '--url', 'http://127.0.0.1:9', '--api-key-file', 'key.txt', '--json', '--patience', '0s'];
    const ended = await causeway(words, { directory });
    expect(ended.code).toBe(6);
    expect(ended.json()).toMatchObject({ error: { detail: expect.stringContaining('out of reach'), exit_code: 6 } });
  });
});

describe('every command', () => {
  it('25.1.6 that gets no token yet ends with 6, and not as if its key were revoked', async () => {
    const { url, variables } = await createSupplier();
    const message = 'Too many calls with this key.';
    const busy = { status: 429, body: { errors: [{ message, extensions: { errorCode: 'CW-1105' } }] } };
    const door = await openDoor(url, () => busy);
    const words = ['whoami', '--patience', '0s'];
    const ended = await causeway(words, { variables: { ...variables, CAUSEWAY_URL: door.url } });
    expect(ended).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining('CW-1105') });
    expect(ended.stderr).not.toContain('revoked');
  });

  it('25.1.3 that is interrupted while the service is away ends with 130', async () => {
    const [{ url, code, variables }, stopping] = [await createSupplier(), new AbortController()];
    const door = await openDoor(url, () => {
      stopping.abort();
      return 'cut';
    });
    const words = ['jobs', 'list', '--supplier', code, '--patience', '1h'];
    const ended = await causeway(words, { variables: { ...variables, CAUSEWAY_URL: door.url }, stop: stopping.signal });
    expect(ended).toMatchObject({ code: 130, stdout: '', stderr: expect.stringContaining('Interrupted') });
  });

  it('25.1.3 whose reader goes ends with 130', async () => {
    const program = spawn(process.execPath, [fileOfProgram('apps/cli/src/main.ts'), 'sample'], { stdio: 'pipe' });
    program.stdout.destroy();
    expect(await once(program, 'exit')).toEqual([130, null]);
  });

  it('25.1.3 ends with 2 and a sentence where it is used wrongly', async () => {
    const ended = await causeway(['whoami', '--jsonn']);
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining("unknown option '--jsonn'") });
  });
});
