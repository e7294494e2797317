import type { Occupancy } from '@causeway/book';
import type { PlacedLine } from '@causeway/book/lines';
import type { Findings } from './findings.ts';

/** Lines on their way to a worker: their bytes behind each other, in memory that is handed over and not copied. */
export interface PackedLines {
  bytes: ArrayBuffer;
  /** The length and the number of each line. */
  lengths: Uint32Array;
  numbers: Float64Array;
}

export interface CheckRequest {
  batch: PackedLines;
  /** The name of their file, if the book has several. */
  file: string | undefined;
  /** The places of lines whose account an earlier line names. */
  duplicates: readonly number[];
}

/** When the account of a line has a meter point, by 64 bits of its digest. */
export interface LineOccupancy extends Pick<Occupancy, 'field' | 'from' | 'to'> {
  line: number;
  account: string;
  point: bigint;
}

export interface CheckAnswer {
  /** Handed back, to be checked again if there are duplicates. */
  batch: PackedLines;
  /** 64 bits of the digest of the account number that each line names; 0 if it names none. */
  accounts: BigInt64Array;
  /** Of the accounts of accepted lines. */
  occupancies: LineOccupancy[];
  findings: Findings;
  /** A line of JSON for each line that is refused or has a warning. */
  results: Uint8Array;
  /** The refused lines as failed rows. */
  failed: Uint8Array;
}

export function packLines(lines: readonly PlacedLine[]): PackedLines {
  const bytes = new ArrayBuffer(lines.reduce((sum, line) => sum + line.bytes.length, 0));
  const lengths = new Uint32Array(lines.length);
  const numbers = new Float64Array(lines.length);
  const target = Buffer.from(bytes);
  let end = 0;
  for (const [index, line] of lines.entries()) {
    end += line.bytes.copy(target, end);
    lengths[index] = line.bytes.length;
    numbers[index] = line.number;
  }
  return { bytes, lengths, numbers };
}
