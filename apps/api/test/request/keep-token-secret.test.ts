import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase } from '@causeway/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { keepTokenSecret } from '../../src/start/keep-token-secret.ts';

const { database, owner, drop } = await createTestDatabase();
const folder = await mkdtemp(path.join(tmpdir(), 'causeway-secret-'));
afterAll(async () => {
  await drop();
  await rm(folder, { recursive: true });
});

let dataDirectory: string;
let starts = 0;
beforeEach(async () => {
  starts += 1;
  dataDirectory = path.join(folder, String(starts));
  await database.prisma.serviceSecret.deleteMany();
});

const OLD = 'a secret that the version before kept in the database';
const keepOld = () => owner.prisma.serviceSecret.create({ data: { name: 'token_secret', value: OLD } });
const atOnce = (count: number) =>
  Promise.all(Array.from({ length: count }, () => keepTokenSecret(database, { dataDirectory })));

describe('the token secret of an embedded database', () => {
  it('16.2 is 256 random bits in a file that its owner alone reads, and the same at every start', async () => {
    const secret = await keepTokenSecret(database, { dataDirectory });
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    const file = path.join(dataDirectory, 'token-secret');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toBe(secret);
    expect(await keepTokenSecret(database, { dataDirectory })).toBe(secret);
    expect(await database.prisma.serviceSecret.count()).toBe(0);
  });

  it('16.2 is one, however many services start at once, and nothing else is left behind', async () => {
    expect(new Set(await atOnce(8)).size).toBe(1);
    expect(await readdir(dataDirectory)).toEqual(['token-secret']);
  });

  it('16.2 moves out of a database that has it from the version before, also with many starts at once', async () => {
    await keepOld();
    expect(new Set(await atOnce(8))).toEqual(new Set([OLD]));
    expect(await database.prisma.serviceSecret.count()).toBe(0);
    expect(await keepTokenSecret(database, { dataDirectory })).toBe(OLD);
  });

  it('16.2 is taken out of the database where another one is given from outside', async () => {
    await keepOld();
    expect(await keepTokenSecret(database, { tokenSecret: 'from outside', dataDirectory })).toBe('from outside');
    expect(await database.prisma.serviceSecret.count()).toBe(0);
  });

  it('16.2 is taken out of the database at the next start, where the one that moved it was killed', async () => {
    await mkdir(dataDirectory);
    await writeFile(path.join(dataDirectory, 'token-secret'), OLD);
    await keepOld();
    expect(await keepTokenSecret(database, { dataDirectory })).toBe(OLD);
    expect(await database.prisma.serviceSecret.count()).toBe(0);
  });

  it('16.2 stops the start, and says what to do, where its file was damaged', async () => {
    await mkdir(dataDirectory);
    await writeFile(path.join(dataDirectory, 'token-secret'), 'short');
    await expect(keepTokenSecret(database, { dataDirectory })).rejects.toThrow(/token-secret .*remove it/);
  });
});
