import { KINDS } from './kinds.ts';
import type { LoadedFile } from './load-file.ts';
import type { Store } from './store.ts';

type Place = { account: string; type: string | number; file: number; line: number };

/**
 * Finds what no row shows alone, once all are in the store: accounts and instructions with two rows, and rows without
 * their account. Then every account with a fault is rejected as a whole (behaviour 25.2.6).
 */
export function judgeAccounts(store: Store, files: readonly LoadedFile[], historyOnly: boolean): void {
  store.database.exec(`
    CREATE INDEX items_by_account ON items (account, kind);
    CREATE INDEX accounts_by_number ON accounts (account);
  `);
  refuseDoubles(store, files);
  refuseWithoutAccount(store, historyOnly);
  store.database.exec(`
    CREATE INDEX faults_by_row ON faults (file, line);
    INSERT INTO rejected SELECT DISTINCT account FROM faults WHERE account IS NOT NULL;
  `);
}

/** All but the first row of an account, or of its payment instructions of one type, are at fault; both lines are named. */
function refuseDoubles(store: Store, files: readonly LoadedFile[]): void {
  const instructions = KINDS.findIndex(({ name }) => name === 'payment-instructions');
  const sources = [
    { table: 'accounts', where: 'true', type: "''", row: 'row' },
    {
      table: 'items',
      where: `kind = ${instructions}`,
      type: "coalesce(json ->> 'type', rowid)",
      row: 'row of this type',
    },
  ];
  for (const { table, where, type, row: what } of sources) {
    const doubles = store.database.prepare(`
      SELECT account, ${type} AS type, file, line FROM ${table}
      WHERE ${where} AND account IN (SELECT account FROM ${table} WHERE ${where} GROUP BY account HAVING count(*) > 1)
      ORDER BY account, 2, rowid
    `);
    let first: Place | undefined;
    for (const row of doubles.iterate() as Iterable<unknown> as Iterable<Place>) {
      if (first?.account !== row.account || first.type !== row.type) {
        first = row;
        continue;
      }
      const detail = `The account has a ${what} already: ${files[first.file]?.name} line ${first.line}.`;
      store.addFault(row.account, row, { detail });
    }
  }
}

function refuseWithoutAccount({ database }: Store, historyOnly: boolean): void {
  const partsOfAccount = KINDS.flatMap(({ field, isInAccount }, kind) => (field !== '' && isInAccount ? [kind] : []));
  const kinds = historyOnly ? `AND kind IN (${partsOfAccount.join(', ')})` : '';
  const detail = historyOnly
    ? 'The account has no row among the accounts: only its history can be added.'
    : 'The account has no row among the accounts. If it exists already, give --history-only.';
  database
    .prepare(`
      INSERT INTO faults (account, file, line, detail)
      SELECT account, file, line, ? FROM items WHERE account NOT IN (SELECT account FROM accounts) ${kinds}
    `)
    .run(detail);
}
