import { join } from 'node:path';
import { createTestDatabase, faultsOfStatement, findSqlFiles, statementsOf } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../src');
const { files, hiding } = findSqlFiles(SOURCES);
const { database, drop } = await createTestDatabase();
afterAll(drop);

test.each(files)('15 every statement of %s answers with the columns that it declares', async (file) => {
  const statements = await statementsOf(join(SOURCES, file));
  const faults = await Promise.all(statements.map((statement) => faultsOfStatement(database, statement)));
  expect(faults.flat()).toEqual([]);
});

test('15 statements are made and exported by files of SQL alone, so that all of them are compared here', () => {
  expect(hiding).toEqual([]);
});
