import { createWriteStream } from 'node:fs';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import { KINDS } from './kinds.ts';
import type { Store } from './store.ts';

/** What was written. */
export interface WrittenBook {
  accounts: number;
  /** Lines with history for an account that exists. */
  histories: number;
}

interface Item {
  kind: number;
  json: string;
  item: string | null;
}

const PIECE_CHARACTERS = 262_144;

/**
 * Writes the lines of all accounts that are not rejected: in the order of the accounts' rows, then those that have
 * history alone. Packed as the name of the output ends.
 */
export async function writeBook(
  store: Store,
  file: string,
  { output, onLines }: { output: string; onLines: (lines: number) => void },
): Promise<WrittenBook> {
  const written = { accounts: 0, histories: 0 };
  function* pieces(): Generator<string> {
    let piece = '';
    let lines = 0;
    for (const { line, isAccount } of linesOf(store)) {
      piece += `${line}\n`;
      lines += 1;
      written[isAccount ? 'accounts' : 'histories'] += 1;
      if (piece.length < PIECE_CHARACTERS) continue;
      yield piece;
      onLines(lines);
      piece = '';
      lines = 0;
    }
    if (piece !== '') yield piece;
    onLines(lines);
  }
  const source = Readable.from(pieces(), { objectMode: false });
  const target = createWriteStream(file);
  await pipeline([source, ...packed(output), target]);
  return written;
}

function* linesOf(store: Store): Generator<{ line: string; isAccount: boolean }> {
  const accounts = store.prepared(
    'SELECT account, json, control FROM accounts WHERE account NOT IN (SELECT account FROM rejected) ORDER BY rowid',
  );
  type Account = { account: string; json: string; control: string | null };
  for (const { account, json, control } of accounts.iterate() as Iterable<unknown> as Iterable<Account>) {
    const fields = fieldsOf(store, account);
    const inAccount = fields.filter(({ isInAccount }) => isInAccount).map(({ text }) => `,${text}`);
    const beside = fields.filter(({ isInAccount }) => !isInAccount).map(({ text }) => `,${text}`);
    const expected = control === null ? '' : `,"control":${control}`;
    yield {
      line: `{"account":${json.slice(0, -1)}${inAccount.join('')}}${beside.join('')}${expected}}`,
      isAccount: true,
    };
  }
  const others = store.prepared(`
    SELECT DISTINCT account FROM items
    WHERE account NOT IN (SELECT account FROM accounts) AND account NOT IN (SELECT account FROM rejected) ORDER BY account
  `);
  for (const { account } of others.iterate() as Iterable<unknown> as Iterable<{ account: string }>) {
    const beside = fieldsOf(store, account).map(({ text }) => `,${text}`);
    yield { line: `{"external_account_number":${JSON.stringify(account)}${beside.join('')}}`, isAccount: false };
  }
}

/** The fields that the rows of an account become, as JSON, each list in the order of its files and rows. */
function fieldsOf(store: Store, account: string): { text: string; isInAccount: boolean }[] {
  const items = store
    .prepared('SELECT kind, json, item FROM items WHERE account = ? ORDER BY kind, rowid')
    .all(account) as unknown as Item[];
  return KINDS.flatMap(({ field, isInAccount, isSingle, fieldOfSeveral, itemOfRow }, kind) => {
    const own = items.filter((item) => item.kind === kind);
    if (own.length === 0) return [];
    const values = itemOfRow === undefined ? own.map(({ json }) => json) : joined(own, itemOfRow);
    const isOne = isSingle && values.length === 1;
    const name = isOne ? field : (fieldOfSeveral ?? field);
    return [{ text: `"${name}":${isOne ? values[0] : `[${values.join(',')}]`}`, isInAccount }];
  });
}

/** Rows that are one item each, and agree in all else, are one value with all of their items. */
function joined(items: readonly Item[], field: string): string[] {
  const values = new Map<string, string[]>();
  const whole: string[] = [];
  for (const { json, item } of items) {
    if (item === null) whole.push(json);
    else values.set(json, [...(values.get(json) ?? []), item]);
  }
  const lists = [...values].map(
    ([json, list]) => `${json.slice(0, -1)}${json === '{}' ? '' : ','}"${field}":[${list.join(',')}]}`,
  );
  return [...whole, ...lists];
}

/** What packs a book as the end of its name says: nothing, gzip or zstd. */
export function packed(name: string): Transform[] {
  if (name.endsWith('.gz')) return [createGzip()];
  return name.endsWith('.zst') ? [createZstdCompress()] : [];
}
