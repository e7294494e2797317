import { join } from 'node:path';
import { createTestDatabase, faultsOfStatement, statementsOf } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';

const statements = await statementsOf(join(import.meta.dirname, '../src'));
const { database, drop } = await createTestDatabase();
afterAll(drop);

test.each(statements)('15 $title answers with the columns that it declares', async (statement) => {
  expect(await faultsOfStatement(database, statement)).toEqual([]);
});
