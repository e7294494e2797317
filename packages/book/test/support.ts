import fc from 'fast-check';
import {
  type AccountLine,
  type BookSettings,
  type FramedLine,
  type FramingLimits,
  frameLines,
  type HistoryLine,
  type RefusedLine,
  readBookLine,
} from '../src/index.ts';

export const LIMITS: FramingLimits = { maxLineBytes: 1_000_000 };

/** Bytes cut into pieces of any sizes, empty ones included. */
export function inPieces(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(start, start + size));
    start += size;
  }
  return [...pieces, bytes.subarray(start)];
}

export async function* eachOf<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

export async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  return Array.fromAsync(items);
}

export async function framed(pieces: Iterable<Uint8Array>, limits = LIMITS): Promise<FramedLine[]> {
  const lines = await allOf(frameLines(eachOf(pieces), limits));
  return lines.map(({ number, bytes }) => ({ number, bytes }));
}

export const pieceSizes = fc.array(fc.nat(40), { maxLength: 30 });

/** Bytes that can be a line: without a line feed, and nothing that a reader of lines takes away. */
export const lineBytes = fc
  .oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.string().map((text) => Buffer.from(text)),
  )
  .map((bytes) => Buffer.from(bytes).filter((byte) => byte !== 0x0a))
  .map((bytes) => Buffer.from(`{${Buffer.from(bytes).toString('latin1')}}`, 'latin1'));

export const SETTINGS: BookSettings = {
  importSupplier: {
    code: 'HARBOUR-VALE',
    country: 'GB',
    account_types: [],
    undocumented_fields: 'REPORT',
    empty_means_omitted: false,
    statement_amount_unit: 'MAJOR',
    balance_check: 'REPORT',
    suspect_data: 'REPORT',
    suspect_data_by_code: {},
  },
  today: '2026-04-17',
  maxLineBytes: 1_000_000,
  paymentVendors: new Set(['STRIPE']),
  importOptions: { check_previously_added: true, force_add_to_current_statement: true },
};

export function withSupplier(changes: Partial<BookSettings['importSupplier']>): BookSettings {
  return { ...SETTINGS, importSupplier: { ...SETTINGS.importSupplier, ...changes } };
}

type Fields = Record<string, unknown>;

/** The smallest account, with these fields. */
export function anAccount(fields: Fields = {}): Fields {
  return {
    import_supplier: 'HARBOUR-VALE',
    external_account_number: 'HV-1',
    customers: [{ given_name: 'Zoë' }],
    ...fields,
  };
}

export function aCharge(number: number, fields: Fields = {}): Fields {
  return {
    transaction_id: `T-${number}`,
    transaction_date: '2026-04-05',
    type: 'CHARGE',
    amount: 12.3,
    reason: 'IMPORTED_CHARGE',
    ...fields,
  };
}

export function aStatement(number: number, fields: Fields = {}): Fields {
  return {
    statement_id: `S-${number}`,
    bill_period_from_date: '2026-01-01',
    bill_period_to_date: '2026-01-31',
    issued_date: '2026-02-03',
    number: `${number}`,
    gross_amount: '112.07',
    ...fields,
  };
}

export const anInstruction = { vendor: 'STRIPE', reference: 'pm_1', type: 'CARD' };

export function bytesOf(line: unknown): Buffer {
  if (line instanceof Buffer) return line;
  return Buffer.from(typeof line === 'string' ? line : JSON.stringify(line));
}

/** What is wrong with a line, as `attr: code`; the line if it is read. */
export function problemsOf(line: unknown, settings = SETTINGS): string[] {
  const read = readBookLine(bytesOf(line), settings);
  return 'line' in read ? [] : read.refusal.errors.map(({ attr, code }) => `${attr}: ${code}`);
}

export function refusalOf(line: unknown, settings = SETTINGS): RefusedLine {
  const read = readBookLine(bytesOf(line), settings);
  if ('line' in read) throw new Error('The line was not refused.');
  return read;
}

export function lineOf(line: unknown, settings = SETTINGS): AccountLine | HistoryLine {
  const read = readBookLine(bytesOf(line), settings);
  if ('line' in read) return read.line;
  throw new Error(`${read.refusal.detail} ${JSON.stringify(read.refusal.errors)}`);
}
