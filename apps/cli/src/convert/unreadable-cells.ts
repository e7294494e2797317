import type { DatabaseSync } from 'node:sqlite';
import { type Unreadable, unreadableIn } from '../mapping/unreadable.ts';

/** The values that functions of a mapping could not read, found again in the rows of its views. */
export class UnreadableCells {
  readonly #find;
  readonly #database: DatabaseSync | undefined;
  readonly #found = new Set<number>();

  /** @param database of a mapping that has run; undefined: without a mapping */
  constructor(database: DatabaseSync | undefined) {
    this.#database = database;
    this.#find = database?.prepare('SELECT function, detail, argument FROM _unreadable WHERE id = ?');
  }

  /** What could not be read, where a cell stands for it. */
  in(text: string): Unreadable | undefined {
    const id = this.#find === undefined ? undefined : unreadableIn(text);
    const found = id === undefined ? undefined : this.#find?.get(id);
    if (id === undefined || found === undefined) return undefined;
    this.#found.add(id);
    return { function: String(found.function), detail: String(found.detail), argument: String(found.argument) };
  }

  /** How many of them came to no row that was looked at, by function and reason: a view has left them out. */
  lost(): { function: string; detail: string; values: number }[] {
    const lost = new Map<string, { function: string; detail: string; values: number }>();
    const all = this.#database?.prepare('SELECT id, function, detail FROM _unreadable').iterate() ?? [];
    for (const { id, function: name, detail } of all) {
      if (this.#found.has(Number(id))) continue;
      const key = JSON.stringify([name, detail]);
      const known = lost.get(key) ?? { function: String(name), detail: String(detail), values: 0 };
      lost.set(key, { ...known, values: known.values + 1 });
    }
    return [...lost.values()];
  }
}
