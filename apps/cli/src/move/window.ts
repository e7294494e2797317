/** A line that was begun. */
interface Begun {
  offset: number;
  number: number;
  isDone: boolean;
}

/** The lines between the first unfinished one and the last that was begun: all that a checkpoint has to know. */
export class Window {
  /** The last line stays when it is done: the place behind it is not known. */
  readonly #lines: Begun[] = [];

  begin({ offset, number }: { offset: number; number: number }): () => void {
    const line = { offset, number, isDone: false };
    this.#lines.push(line);
    return () => {
      line.isDone = true;
      let done = 0;
      while (done < this.#lines.length - 1 && this.#lines[done]?.isDone) done += 1;
      this.#lines.splice(0, done);
    };
  }

  /** Of the first unfinished line; undefined before a line was begun. */
  get offset(): number | undefined {
    return this.#lines[0]?.offset;
  }

  /** How many lines it spans. */
  get size(): number {
    return this.#lines.length;
  }

  /** The first line from which to continue, and those behind it that are done. */
  get reached(): { offset: number; number: number; beyond: number[] } | undefined {
    const [first] = this.#lines;
    if (first === undefined) return undefined;
    const beyond = this.#lines.filter(({ isDone }) => isDone).map(({ number }) => number);
    return { offset: first.offset, number: first.number, beyond };
  }
}
