import { counted } from '../terminal/numbers.ts';
import type { TextRow } from './text-row.ts';

interface Count {
  rows: number;
  /** Of the first of them. */
  line: number;
}

/** What the rows of a file of fixed width have that its columns do not: characters in none of them, other lengths. */
export class FixedWidthRemarks {
  readonly #unread = new Map<string, Count>();
  readonly #lengths = new Map<string, Count>();
  #rows = 0;

  add({ line, unread = [], length }: TextRow): void {
    for (const characters of unread) count(this.#unread, characters, line);
    if (length === undefined) return;
    count(this.#lengths, `${length}`, line);
    this.#rows += 1;
  }

  get sentences(): readonly string[] {
    const unread = Array.from(this.#unread, ([characters, { rows, line }]) => {
      return `characters ${characters} are in no column of --fixed-width, and not blank in ${counted(rows, 'row')}, such as line ${line}`;
    });
    return [...unread, ...this.#otherLengths()];
  }

  /** A wrong encoding shifts columns. Where most lines have one length, the others are told; otherwise any is usual. */
  #otherLengths(): readonly string[] {
    const all = [...this.#lengths.values()].sort((one, other) => other.rows - one.rows);
    const [usual, ...others] = all;
    if (usual === undefined || others.length === 0 || usual.rows * 2 <= this.#rows) return [];
    const [rows, first] = [this.#rows - usual.rows, Math.min(...others.map(({ line }) => line))];
    return [`${counted(rows, 'line')} ${rows === 1 ? 'has' : 'have'} another length, first line ${first}`];
  }
}

function count(counts: Map<string, Count>, key: string, line: number): void {
  const known = counts.get(key);
  if (known === undefined) counts.set(key, { rows: 1, line });
  else known.rows += 1;
}
