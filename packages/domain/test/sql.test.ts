import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SqlStatement } from '@causeway/db';
import { createTestDatabase, faultsOfStatement } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../src');
const sources = globSync('**/*.ts', { cwd: SOURCES }).sort();
const files = sources.filter((file) => file.endsWith('.sql.ts'));
const { database, drop } = await createTestDatabase();
afterAll(drop);

type AnyStatement = SqlStatement<unknown, string>;

/** The statements that a module exports, those inside of what it exports too. */
function statementsIn(exported: unknown): AnyStatement[] {
  if (!(exported instanceof Object)) return [];
  return 'columns' in exported ? [exported as AnyStatement] : Object.values(exported).flatMap(statementsIn);
}

test.each(files)('every statement of %s answers with the columns that it declares', async (file) => {
  const statements = statementsIn({ ...(await import(join(SOURCES, file))) });
  const faults = await Promise.all(statements.map((statement) => faultsOfStatement(database, statement)));
  expect(faults.flat()).toEqual([]);
});

test('statements are made and exported by files of SQL alone, so that all of them are compared here', () => {
  const notExported = sources.filter((file) => {
    const source = readFileSync(join(SOURCES, file), 'utf8');
    return file.endsWith('.sql.ts') ? /^const \w+ = sql\(/m.test(source) : /\bsql\(/.test(source);
  });
  expect(notExported).toEqual([]);
});
