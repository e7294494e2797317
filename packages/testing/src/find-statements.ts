import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SqlStatement } from '@causeway/db';

type AnyStatement = SqlStatement<unknown, string>;

/** The SQL files in a source folder, and the places that create statements which `statementsOf` does not find. */
export function findSqlFiles(sources: string): { files: string[]; hiding: string[] } {
  const all = globSync('**/*.ts', { cwd: sources }).sort();
  const hiding = all.filter((file) => {
    const source = readFileSync(join(sources, file), 'utf8');
    return file.endsWith('.sql.ts') ? /^const \w+ = sql\(/m.test(source) : /\bsql\(/.test(source);
  });
  return { files: all.filter((file) => file.endsWith('.sql.ts')), hiding };
}

/** The statements that a file exports, including those nested in its exports. */
export async function statementsOf(file: string): Promise<AnyStatement[]> {
  return statementsIn({ ...(await import(file)) });
}

function statementsIn(exported: unknown): AnyStatement[] {
  if (!(exported instanceof Object)) return [];
  return 'columns' in exported ? [exported as AnyStatement] : Object.values(exported).flatMap(statementsIn);
}
