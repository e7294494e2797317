import type { DatabaseSync } from 'node:sqlite';

/** Different values that one function could not read, for one reason. */
export interface UnreadableKind {
  function: string;
  detail: string;
  values: number;
  /** The form of one of them, or the value itself. */
  shown: string;
}

/** What the functions of a mapping could not read. */
export function unreadableKinds(database: DatabaseSync, shown: (text: string) => string): UnreadableKind[] {
  const rows = database.prepare(`
    SELECT function, detail, count(*) AS count, min(argument) AS argument FROM _unreadable
    GROUP BY function, detail ORDER BY count DESC LIMIT 20
  `);
  return rows.all().map(({ function: name, detail, count, argument }) => ({
    function: String(name),
    detail: String(detail),
    values: Number(count),
    shown: shown(String(argument ?? '')),
  }));
}
