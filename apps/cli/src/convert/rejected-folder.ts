import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { csvLine } from '@causeway/book';
import type { KindName } from './kind-names.ts';
import { COPY_AGAIN, REJECTED_BECAUSE } from './kinds.ts';
import { COMPUTED, type Relation, type Row } from './relations.ts';
import type { Fault } from './store.ts';
import type { UnreadableCells } from './unreadable-cells.ts';

/** A file of rejected rows. */
export interface RejectedFile {
  kind: KindName;
  name: string;
}

const BYTE_ORDER_MARK = '\uFEFF';
const PIECE_CHARACTERS = 262_144;

interface OpenFile extends RejectedFile {
  text: string;
}

/**
 * Takes every row of the accounts that were rejected, as it stood in its file, with what is wrong with it: fixed, the
 * folder is all that another run needs. In UTF-8, with a byte order mark for spreadsheets.
 */
export class RejectedFolder {
  readonly #folder: string;
  readonly #unreadable: UnreadableCells;
  readonly #files = new Map<Relation, OpenFile>();

  /** @param unreadable in whose place the value itself is written */
  constructor(folder: string, unreadable: UnreadableCells) {
    this.#folder = folder;
    this.#unreadable = unreadable;
  }

  add(rows: readonly Row[], faults: readonly { row: Row; fault: Fault }[]): void {
    const reasons = new Map<Row, string[]>();
    for (const { row, fault } of faults)
      reasons.set(row, [...(reasons.get(row) ?? []), sentenceOf(fault), ...this.#sourceSaid(row, fault)]);
    for (const row of rows) {
      const reason = [...(reasons.get(row) ?? []), ...(row.fault === undefined ? [] : [whereOf(row)])];
      const file = this.#files.get(row.relation) ?? this.#open(row.relation);
      file.text += csvLine([...kept(row.cells, row.relation).map(this.#written), reason.join(' ')]);
      if (file.text.length > PIECE_CHARACTERS) this.#write(file);
    }
  }

  /** Writes what is left. */
  close(): readonly RejectedFile[] {
    for (const file of this.#files.values()) this.#write(file);
    return [...this.#files.values()].map(({ kind, name }) => ({ kind, name }));
  }

  #open(relation: Relation): OpenFile {
    if (this.#files.size === 0) mkdirSync(this.#folder);
    const kind = relation.kind.name;
    const before = [...this.#files.values()].filter((file) => file.kind === kind).length;
    const name = before === 0 ? `${kind}.csv` : `${kind}-${before + 1}.csv`;
    const headers = relation.columns.list.map(({ header }) => header);
    const file = { kind, name, text: BYTE_ORDER_MARK + csvLine([...kept(headers, relation), REJECTED_BECAUSE]) };
    this.#files.set(relation, file);
    return file;
  }

  /** Of a cell that a function of the mapping could not read, which has the text of the source here. */
  #sourceSaid({ cells, relation }: Row, { column }: Fault): string[] {
    const cell = cells[relation.columns.list.findIndex(({ header }) => header === column)] ?? '';
    return this.#unreadable.in(cell) === undefined ? [] : [AS_IN_THE_SOURCE];
  }

  /** A number that is not exact stays no number: unfixed, it is rejected again. */
  #written = (cell: string) =>
    cell.startsWith(COMPUTED) ? cell.slice(1) : (this.#unreadable.in(cell)?.argument ?? cell);

  #write(file: OpenFile): void {
    appendFileSync(path.join(this.#folder, file.name), file.text);
    file.text = '';
  }
}

/** Without the reasons of an earlier run. */
function kept(cells: readonly string[], { columns }: Relation): string[] {
  return cells.filter((_cell, index) => {
    const { key, path: place } = columns.list[index] ?? {};
    return key !== undefined || place !== undefined;
  });
}

const AS_IN_THE_SOURCE = 'The cell has the text of the source: write the value itself, such as 2026-01-31 or 48.20.';

/** What could not be read whole is not whole here either. */
const whereOf = ({ file, line }: Row) => `It is line ${line} of ${file}. ${COPY_AGAIN}`;

const sentenceOf = ({ column, detail }: Fault) => (column === undefined ? detail : `${column}: ${detail}`);
