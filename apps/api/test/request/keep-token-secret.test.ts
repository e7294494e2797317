import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { keepTokenSecret } from '../../src/start/keep-token-secret.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'causeway-secret-'));
afterAll(() => rm(folder, { recursive: true }));

let dataDirectory: string;
let starts = 0;
beforeEach(() => {
  starts += 1;
  dataDirectory = path.join(folder, String(starts));
});

const atOnce = (count: number) => Promise.all(Array.from({ length: count }, () => keepTokenSecret({ dataDirectory })));

describe('the token secret of an embedded database', () => {
  it('16.2 is 256 random bits in a file that its owner alone reads, and the same at every start', async () => {
    const secret = await keepTokenSecret({ dataDirectory });
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    const file = path.join(dataDirectory, 'token-secret');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toBe(secret);
    expect(await keepTokenSecret({ dataDirectory })).toBe(secret);
  });

  it('16.2 is one, however many services start at once, and nothing else is left behind', async () => {
    expect(new Set(await atOnce(8)).size).toBe(1);
    expect(await readdir(dataDirectory)).toEqual(['token-secret']);
  });

  it('16.2 is not stored where one is given from outside', async () => {
    expect(await keepTokenSecret({ tokenSecret: 'from outside', dataDirectory })).toBe('from outside');
    expect(existsSync(dataDirectory)).toBe(false);
  });

  it('16.2 stops the start, and says what to do, where its file was damaged', async () => {
    await mkdir(dataDirectory);
    await writeFile(path.join(dataDirectory, 'token-secret'), 'short');
    await expect(keepTokenSecret({ dataDirectory })).rejects.toThrow(/token-secret .*remove it/);
  });
});
