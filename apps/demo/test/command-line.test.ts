import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoEnvironment } from '../src/demo-environment.ts';
import { readOptions } from '../src/read-options.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'causeway-demo-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the command line of the demo', () => {
  it('18.1 moves 200 accounts and serves on, unless told otherwise', () => {
    expect(readOptions([])).toEqual({ accounts: 200, bulk: false, exit: false });
    expect(readOptions(['--', '--accounts', '12', '--exit'])).toEqual({ accounts: 12, bulk: false, exit: true });
    expect(readOptions(['--accounts', '20000', '--bulk'])).toEqual({ accounts: 20_000, bulk: true, exit: false });
  });

  it.each(['0', '-1', '1.5', 'many', '10001'])('18.1 refuses --accounts %s', (accounts) => {
    expect(() => readOptions([`--accounts=${accounts}`])).toThrow('--accounts');
  });

  it('18.1 serves the sandbox vendor, quietly, unless the environment says otherwise', async () => {
    const { variables } = await demoEnvironment({ DATA_DIR: folder, LOG_LEVEL: '' });
    expect(variables).toMatchObject({ LOG_LEVEL: 'fatal', PAYMENT_VENDORS: 'SANDBOX' });
    const loud = await demoEnvironment({ DATA_DIR: folder, LOG_LEVEL: 'info' });
    expect(loud.variables).toMatchObject({ LOG_LEVEL: 'info' });
  });

  it('18.6 keeps its staff key in the data directory, for its owner only', async () => {
    const dataDirectory = path.join(folder, 'new', 'data');
    const { staffApiKey } = await demoEnvironment({ DATA_DIR: dataDirectory });
    expect(staffApiKey).toHaveLength(43);
    const file = path.join(dataDirectory, 'demo-staff-api-key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toBe(staffApiKey);
    expect((await demoEnvironment({ DATA_DIR: dataDirectory })).staffApiKey).toBe(staffApiKey);
  });

  it.each(['/proc/x', '/dev/null'])('16.2 names DATA_DIR where %s cannot be written to', async (DATA_DIR) => {
    await expect(demoEnvironment({ DATA_DIR })).rejects.toThrow(`DATA_DIR ${DATA_DIR} cannot be written to`);
  });

  it('18.6 takes the STAFF_API_KEY it is given', async () => {
    const STAFF_API_KEY = 'a staff key of the operator, long enough';
    expect((await demoEnvironment({ DATA_DIR: folder, STAFF_API_KEY })).staffApiKey).toBe(STAFF_API_KEY);
  });
});
