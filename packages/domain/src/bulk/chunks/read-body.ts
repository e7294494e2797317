import { zstdDecompressSync } from 'node:zlib';
import {
  type BookSettings,
  duplicateInFile,
  type LineRefusal,
  linesOfBody,
  noHistoryToStage,
  type ReadBookLine,
  type RefusedLine,
  readBookLine,
  remarksOfLine,
} from '@causeway/book';
import { AccountPayload, FIELD_CODES } from '@causeway/contracts';
import { dayIn } from '../../shared/dates.ts';
import { type AccountKey, accountKey } from '../../shared/derived-id.ts';
import type { Writing } from './bulk-work.ts';
import type { ChunkLine } from './chunk-line.ts';

/** The part of an upload's chunk that is done in one transaction. */
export interface BodyPart {
  body: Buffer;
  /** The number of the body's first line. */
  first_line: number;
  /** The places, from 1, of lines whose account an earlier line names. */
  duplicates: readonly number[];
  /** How many lines were done before. */
  skip: number;
  take: number;
}

/** The lines of an upload's chunk, by the rules of today. */
export function readBody(writing: Writing, part: BodyPart): ChunkLine[] {
  const { body, first_line, duplicates, skip, take } = part;
  const settings = settingsOf(writing);
  const lines: ChunkLine[] = [];
  for (const [index, { number, bytes }] of linesOfBody(zstdDecompressSync(body), first_line).entries()) {
    if (index < skip || index >= skip + take) continue;
    const line = chunkLine(writing, { number, sent: bytes }, readBookLine(bytes, settings));
    lines.push(duplicates.includes(index + 1) ? refusedAs(line, duplicateInFile()) : line);
  }
  if (lines.length === 0) throw new Error('A body has fewer lines than its chunk');
  return lines;
}

/** What today's answer to a line depends on. */
export function settingsOf({ context, work, supplier, dependencies }: Writing): BookSettings {
  const { check_previously_added, force_add_to_current_statement } = work.options;
  return {
    importSupplier: supplier,
    today: dayIn(context.timeZone, context.clock()),
    maxLineBytes: dependencies.maxLineBytes,
    paymentVendors: context.paymentVendors,
    importOptions: { check_previously_added, force_add_to_current_statement },
  };
}

function chunkLine({ work }: Writing, at: { number: number; sent: Buffer }, read: ReadBookLine): ChunkLine {
  const keyOf = (number: string) => accountKey(work.import_supplier_code, number);
  if ('refusal' in read) {
    return { ...at, kind: 'refused', ...read, key: keyOfRefused(read, keyOf) };
  }
  const { line } = read;
  const key = keyOf(line.external_account_number);
  if (line.kind === 'history') {
    const history = { ...at, kind: 'history', key, history: line, warnings: remarksOfLine(line) } as const;
    return work.kind === 'STAGE' ? refusedAs(history, noHistoryToStage()) : history;
  }
  const { account, omitted } = line;
  return { ...at, kind: 'account', key, account, omitted, warnings: remarksOfLine(line) };
}

/** None if the account number itself is refused, as with single calls, or if the line is of another import supplier. */
function keyOfRefused(
  { refusal: { errors }, external_account_number: number }: RefusedLine,
  keyOf: (number: string) => AccountKey,
): AccountKey | undefined {
  // An account without a number is the one that its line names.
  const sent = AccountPayload.shape.external_account_number.safeParse(number);
  const isRefused = errors.some(
    ({ attr, code }) =>
      (attr === 'import_supplier' && code === 'invalid_choice') ||
      (attr === 'external_account_number' && code !== 'required' && Object.hasOwn(FIELD_CODES, code)),
  );
  return sent.success && !isRefused ? keyOf(sent.data) : undefined;
}

/** It is the line that is refused, not its account. */
function refusedAs({ number, sent, key }: ChunkLine, refusal: LineRefusal): ChunkLine {
  return { kind: 'refused', number, sent, external_account_number: key?.external_account_number, refusal };
}
