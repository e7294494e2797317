import path from 'node:path';
import {
  type AddedLines,
  addLines,
  addParts,
  type BookSettings,
  type LineClaims,
  manifestLineOf,
  readBookLine,
  totalsOf,
} from '@causeway/book';
import type { OwnImportSupplier } from '@causeway/contracts';
import { MAX_LINE_BYTES } from '../book-files/book.ts';
import { openBook } from '../book-files/open-book.ts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { writeWhole } from '../frame/own-file.ts';
import { openService } from '../session/open-service.ts';
import { quoted } from '../terminal/lines.ts';
import { counted, grouped } from '../terminal/numbers.ts';
import type { ManifestHead } from './manifest-file.ts';

interface Building {
  words: [string[]];
  options: { supplier: string; output: string; fingerprint: boolean };
}

/** A line of the book that the manifest does not have. */
interface LeftOut {
  file: string;
  line: number;
  why: string;
}

const MAX_LEFT_OUT = 20;

/** Computes a manifest from a book, for tests: it is marked so, in the file and wherever it is lodged (25.7.2). */
export async function buildManifest(context: Context, { words: [files], options }: Building): Promise<Result> {
  const service = await openService(context);
  const supplier = await service.get<OwnImportSupplier>(`import-suppliers/${encodeURIComponent(options.supplier)}/`);
  const lines = new ClaimedLines(bookSettings(supplier, context.now()), supplier, options.fingerprint);
  const target = path.resolve(context.directory, options.output);
  const head = (totals: ManifestHead['totals']): ManifestHead => ({
    ...(totals !== undefined && { totals }),
    ...{ source_system: `the book ${files.map((file) => path.basename(file)).join(', ')}`, computed_from_book: true },
    as_of: `${context.now().toISOString().slice(0, 19)}Z`,
  });
  async function* text(): AsyncGenerator<string> {
    for await (const { file, lines: some } of (await openBook(files, context)).batches()) {
      yield lines.claim(files[file] ?? '', some);
    }
    if (context.stop.aborted) throw new Failure('interrupted', `Interrupted: ${options.output} was not written.`);
    if (lines.added.accounts === 0) throw new Failure('usage', 'No line of the book has an account to claim.');
    yield `${JSON.stringify(head(totalsOf(lines.added)))}\n`;
  }
  await writeWhole({ file: target, name: options.output }, text());
  const { added, leftOut, firstLeftOut } = lines;
  context.output.say(
    'A manifest should come from the system that you move from: this one only proves that the book arrives.',
  );
  context.output.say(`Next: causeway manifest lodge ${quoted(options.output)} --supplier ${quoted(options.supplier)}`);
  const left = { left_out: leftOut, first_left_out: firstLeftOut, omitted_transactions: lines.omitted };
  const document = { file: target, totals: totalsOf(added), ...left };
  return { ending: leftOut === 0 ? 'done' : 'refused', document, lines: builtLines(options.output, lines) };
}

function builtLines(output: string, { added, leftOut, firstLeftOut, omitted }: ClaimedLines): string[] {
  const zeros = omitted === 0 ? '' : `; ${counted(omitted, 'transaction')} of zero left out, as the service does`;
  const head = `${output}: ${grouped(added.accounts)} accounts${zeros}`;
  if (leftOut === 0) return [head];
  const named = firstLeftOut.map(({ file, line, why }) => `  ${file}, line ${grouped(line)}: ${why}`);
  const more = leftOut - firstLeftOut.length;
  return [
    head,
    `${grouped(leftOut)} lines of the book are not in it:`,
    ...named,
    ...(more > 0 ? [`  and ${grouped(more)} more`] : []),
  ];
}

class ClaimedLines {
  added: AddedLines = addParts([]);
  leftOut = 0;
  omitted = 0;
  readonly firstLeftOut: LeftOut[] = [];
  readonly #settings: BookSettings;
  readonly #unit: 'MAJOR' | 'MINOR';
  readonly #hasFingerprint: boolean;

  constructor(settings: BookSettings, supplier: OwnImportSupplier, hasFingerprint: boolean) {
    this.#settings = settings;
    this.#unit = supplier.statement_amount_unit;
    this.#hasFingerprint = hasFingerprint;
  }

  /** The lines of the manifest, as text. */
  claim(file: string, lines: readonly { number: number; bytes: Buffer }[]): string {
    const claims = lines.flatMap(({ number, bytes }) => this.#claim(file, number, bytes) ?? []);
    this.added = addParts([this.added, addLines(claims)]);
    return claims.map((line) => `${JSON.stringify(line)}\n`).join('');
  }

  #claim(file: string, line: number, bytes: Buffer): LineClaims | undefined {
    const read = readBookLine(bytes, this.#settings);
    if ('line' in read && read.line.kind === 'account') {
      this.omitted += read.line.omitted ?? 0;
      const { fingerprint, ...claims } = manifestLineOf(read.line, this.#unit);
      return this.#hasFingerprint ? { ...claims, fingerprint } : claims;
    }
    const why = 'line' in read ? 'history for an account of another line' : `refused, ${read.refusal.code}`;
    this.leftOut += 1;
    if (this.firstLeftOut.length < MAX_LEFT_OUT) this.firstLeftOut.push({ file, line, why });
    return undefined;
  }
}

function bookSettings(supplier: OwnImportSupplier, now: Date): BookSettings {
  return {
    importSupplier: supplier,
    today: new Intl.DateTimeFormat('en-CA', { timeZone: supplier.time_zone }).format(now),
    maxLineBytes: MAX_LINE_BYTES,
    paymentVendors: { has: () => true },
    importOptions: { check_previously_added: true, force_add_to_current_statement: false },
  };
}
