import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  type AddedLines,
  addLines,
  addParts,
  contradictions,
  type LineClaims,
  readManifestLine,
  totalsInOneSpelling,
  totalsOf,
} from '@causeway/book';
import { type FieldError, fieldErrorsOf, ManifestTotals } from '@causeway/contracts';
import { AS_UTF8 } from '../book-files/book.ts';
import { digestOfNumber, openTemporaryDatabase } from '../book-files/temporary-database.ts';
import { bytesOf, openFile } from '../extract/file-bytes.ts';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import {
  cutParts,
  ManifestDigest,
  type ManifestFile,
  type ManifestHead,
  type ManifestRow,
  readRows,
} from './manifest-file.ts';

/** A line that cannot be lodged. */
export interface WrongLine {
  line: number;
  errors: FieldError[];
}

/** All that a manifest file says, and what is wrong with it. */
export interface Survey {
  head: ManifestHead;
  /** What the source says that it has; without it what the lines add up to. */
  totals: ManifestTotals;
  isClaimed: boolean;
  added: AddedLines;
  /** How many lines cannot be lodged, and the first of them. */
  wrongLines: number;
  firstWrong: WrongLine[];
  /** The figures of the totals to which the lines do not add up. */
  contradictions: FieldError[];
  digest: string;
  parts: number;
}

export interface SurveyOptions extends ManifestFile {
  /** A JSON file with the totals, in place of the line that has them. */
  totals?: string | undefined;
  /** The code of the import supplier; undefined if any will do. */
  supplier?: string | undefined;
}

const MAX_SHOWN = 20;

/** Reads a manifest file and checks it as the service will (behaviour 22.2, 22.3), without the service. */
export async function surveyManifest(context: Context, options: SurveyOptions): Promise<Survey> {
  const digest = new ManifestDigest();
  using firstLines = new FirstLines();
  const lines = new SurveyedLines(options.supplier, firstLines);
  const told: { head: ManifestHead } = { head: {} };
  const rows = readRows(options, context, (found) => {
    told.head = found;
  });
  for await (const part of cutParts(lines.through(rows))) digest.add(part);
  if (context.stop.aborted) throw new Failure('interrupted', 'Interrupted.');
  const { added, wrongLines, firstWrong } = lines;
  if (added.accounts + wrongLines === 0) throw new Failure('usage', `${options.file} has no line about an account.`);
  const given = options.totals === undefined ? told.head.totals : await readTotals(context, options.totals);
  const totals = given === undefined ? totalsOf(added) : checkedTotals(given, options.totals ?? options.file);
  return {
    ...{ head: told.head, totals, isClaimed: given !== undefined, added, wrongLines, firstWrong },
    contradictions: wrongLines > 0 ? [] : contradictions(totals, added),
    ...{ parts: digest.parts, digest: digest.hex() },
  };
}

class SurveyedLines {
  added: AddedLines = addParts([]);
  wrongLines = 0;
  readonly firstWrong: WrongLine[] = [];
  readonly #firstLines: FirstLines;
  #supplier: string | undefined;

  constructor(supplier: string | undefined, firstLines: FirstLines) {
    this.#supplier = supplier;
    this.#firstLines = firstLines;
  }

  /** The same rows, looked at on their way. */
  async *through(rows: AsyncIterable<ManifestRow[]>): AsyncGenerator<ManifestRow[]> {
    for await (const some of rows) {
      const claims = some.flatMap((row) => this.#read(row) ?? []);
      this.added = addParts([this.added, addLines(claims)]);
      yield some;
    }
  }

  #read({ number, bytes }: ManifestRow): LineClaims | undefined {
    this.#supplier ??= supplierOf(bytes);
    const read = readManifestLine(bytes, { importSupplier: this.#supplier ?? '' });
    const errors = 'errors' in read ? read.errors : this.#again(read.line.external_account_number, number);
    if (errors.length === 0 && 'line' in read) return read.line;
    this.wrongLines += 1;
    if (this.firstWrong.length < MAX_SHOWN) this.firstWrong.push({ line: number, errors });
    return undefined;
  }

  #again(account: string, number: number): FieldError[] {
    const first = this.#firstLines.add(account, number);
    if (first === undefined) return [];
    const detail = `Line ${first} is about the same account.`;
    return [{ detail, code: 'duplicate_in_file', attr: 'external_account_number' }];
  }
}

/** Where no import supplier was named, all lines must be about that of the first one that names any. */
function supplierOf(bytes: Buffer): string | undefined {
  if (!bytes.includes('"import_supplier"')) return undefined;
  try {
    const { import_supplier: code } = JSON.parse(bytes.toString());
    return typeof code === 'string' ? code : undefined;
  } catch {
    return undefined;
  }
}

async function readTotals({ directory }: Context, file: string): Promise<unknown> {
  const opened = await openFile({ name: file, path: path.resolve(directory, file) });
  const bytes = Buffer.concat(await Array.fromAsync(bytesOf(opened)));
  if (!isUtf8(bytes)) throw new Failure('usage', `${file} is not UTF-8.`, { lines: [`  ${AS_UTF8}`] });
  try {
    const parsed = JSON.parse(bytes.toString());
    return Object.hasOwn(parsed, 'totals') ? parsed.totals : parsed;
  } catch (error) {
    throw new Failure('usage', `${file} is no JSON: ${(error as Error).message}.`);
  }
}

function checkedTotals(given: unknown, file: string): ManifestTotals {
  const checked = ManifestTotals.safeParse(given);
  if (checked.success) return totalsInOneSpelling(checked.data);
  const lines = fieldErrorsOf(checked.error, given).map(({ attr, detail }) => `  totals.${attr}: ${detail}`);
  throw new Failure('usage', `The totals in ${file} cannot be used.`, { lines });
}

/** On which line each account was named first; in a temporary file, so that memory does not grow with the accounts. */
class FirstLines {
  readonly #database: DatabaseSync;
  readonly #add: StatementSync;
  readonly #find: StatementSync;

  constructor() {
    this.#database = openTemporaryDatabase('CREATE TABLE first (account INTEGER PRIMARY KEY, line INTEGER NOT NULL);');
    this.#add = this.#database.prepare('INSERT OR IGNORE INTO first (account, line) VALUES (?, ?)');
    this.#add.setReadBigInts(true);
    this.#find = this.#database.prepare('SELECT line FROM first WHERE account = ?');
  }

  /** Remembers the line of an account; if an earlier one named it, that line. */
  add(account: string, line: number): number | undefined {
    const digest = digestOfNumber(account);
    if (this.#add.run(digest, line).changes === 1n) return undefined;
    return Number(this.#find.get(digest)?.line);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
