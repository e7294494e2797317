import { createWriteStream } from 'node:fs';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import { accountsInOrder } from './accounts-in-order.ts';
import { type Assembling, assemble, isNumber } from './assemble.ts';
import { addCount } from './one-supplier.ts';
import type { RejectedFolder } from './rejected-folder.ts';
import type { Relation } from './relations.ts';
import type { Store } from './store.ts';

/** What was written. */
export interface WrittenBook {
  accounts: number;
  /** Lines with history for an account that exists. */
  histories: number;
  /** Accounts that have faults, and were not written. */
  rejected: number;
  /** With a fault of their own. */
  rejectedRows: number;
  /** Numbers that have rows, but none among the accounts. */
  unmatched: number;
  /** Their rows, and those without a number or whose number could not be read. */
  rowsOfNoAccount: number;
  /** The supplier of the first account, and how many accounts each has. */
  supplier: string | undefined;
  suppliers: Map<string, number>;
  /** How many statements say each currency. */
  currencies: Map<string, number>;
  /** Of the first supply address that has one. */
  country: string | undefined;
}

const PIECE_CHARACTERS = 262_144;

/** Where a book and what is not in it go. */
interface Targets {
  file: string;
  /** As the user names it: it is packed as the name ends. */
  output: string;
  rejected: RejectedFolder;
  onLines: (lines: number) => void;
}

/**
 * Writes the lines of all accounts without a fault: in the order of the accounts' rows, then those that have history
 * alone. The rows of the others go to the folder, and their faults to the store.
 */
export async function writeBook(
  store: Store,
  { relations, by }: { relations: readonly Relation[]; by: Assembling },
  { file, output, rejected, onLines }: Targets,
): Promise<WrittenBook> {
  const written: WrittenBook = {
    accounts: 0,
    histories: 0,
    rejected: 0,
    rejectedRows: 0,
    unmatched: 0,
    rowsOfNoAccount: 0,
    supplier: undefined,
    suppliers: new Map(),
    currencies: new Map(),
    country: undefined,
  };
  function* lines(): Generator<string> {
    for (const account of accountsInOrder(store, relations)) {
      const { line, isAccount, faults } = assemble(account, by);
      if (line === undefined) {
        const hasNumber = isNumber(account.number);
        if (hasNumber) written[isAccount ? 'rejected' : 'unmatched'] += 1;
        const rows = [...new Set(faults.map(({ row }) => row))];
        written.rejectedRows += rows.length;
        if (!(hasNumber && isAccount))
          written.rowsOfNoAccount += rows.filter(({ relation }) => !isAccounts(relation)).length;
        rejected.add(account.rows, faults);
        for (const { row, fault } of faults) {
          const place = {
            ...row,
            relation: relations.indexOf(row.relation),
            account: isNumber(account.number) ? account.number : undefined,
          };
          store.addFault(place, fault);
        }
        continue;
      }
      written[isAccount ? 'accounts' : 'histories'] += 1;
      const supplier = supplierOf(line);
      written.supplier ??= supplier;
      addCount(written.suppliers, supplier);
      for (const { currency } of statementsOf(line)) addCount(written.currencies, currency);
      written.country ??= countryOf(line);
      yield `${JSON.stringify(line)}\n`;
    }
  }
  const source = Readable.from(inPieces(lines(), onLines), { objectMode: false });
  await pipeline([source, ...packed(output), createWriteStream(file)]);
  return written;
}

const isAccounts = ({ kind }: Relation) => kind.field === '';

function* inPieces(lines: Iterable<string>, onLines: (lines: number) => void): Generator<string> {
  let piece = '';
  let count = 0;
  for (const line of lines) {
    piece += line;
    count += 1;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    onLines(count);
    piece = '';
    count = 0;
  }
  if (piece !== '') yield piece;
  onLines(count);
}

function statementsOf(line: object): readonly { currency?: unknown }[] {
  const { statements } = line as { statements?: unknown };
  return Array.isArray(statements) ? statements : [];
}

function supplierOf(line: object): string | undefined {
  const { account } = line as { account?: { import_supplier?: unknown } };
  return typeof account?.import_supplier === 'string' ? account.import_supplier : undefined;
}

function countryOf(line: object): string | undefined {
  const { account } = line as { account?: { supply_addresses?: unknown } };
  const [first] = Array.isArray(account?.supply_addresses) ? account.supply_addresses : [];
  const country: unknown = Object(Object(first).supply_address).country;
  return typeof country === 'string' && /^[A-Z]{2}$/.test(country) ? country : undefined;
}

/** What packs a book as the end of its name says: nothing, gzip or zstd. */
export function packed(name: string): Transform[] {
  if (name.endsWith('.gz')) return [createGzip()];
  return name.endsWith('.zst') ? [createZstdCompress()] : [];
}
