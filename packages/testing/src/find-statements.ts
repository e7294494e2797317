import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SqlStatement, statementsMade } from '@causeway/db';

/** Each is made as its file is loaded: those of a source folder, and of what it imports, but for savepoints. */
export async function statementsOf(sources: string): Promise<SqlStatement<unknown, string>[]> {
  for (const file of globSync('**/*.ts', { cwd: sources })) {
    const path = join(sources, file);
    if (/\bsql\(/.test(readFileSync(path, 'utf8'))) await import(path);
  }
  return statementsMade().filter(({ title }) => !/savepoint$/.test(title));
}
