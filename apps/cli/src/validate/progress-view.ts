import type { Book } from '../book-files/book.ts';
import type { Context } from '../frame/define-command.ts';
import type { Output } from '../frame/output.ts';
import { tableLines } from '../terminal/lines.ts';
import { bar, duration, grouped, percent } from '../terminal/numbers.ts';
import type { TotalFindings } from './findings.ts';
import { clusterRows } from './summary.ts';

const LIVE_EVERY_MS = 250;
const SAY_EVERY_MS = 30_000;
const SHOWN_CLUSTERS = 3;
const BAR_COLUMNS = 24;

/** How far a validation is: a block in a terminal, a line from time to time elsewhere. */
export class ProgressView {
  readonly #output: Output;
  readonly #book: Book;
  readonly #total: TotalFindings;
  readonly #startedAt = performance.now();
  #shownAt = performance.now();

  constructor({ output }: Context, book: Book, total: TotalFindings) {
    this.#output = output;
    this.#book = book;
    this.#total = total;
  }

  /** To be called often: shows what is new from time to time. */
  show(): void {
    const now = performance.now();
    if (now - this.#shownAt < (this.#output.isLive ? LIVE_EVERY_MS : SAY_EVERY_MS)) return;
    this.#shownAt = now;
    const { lines, refused } = this.#total;
    const seconds = (now - this.#startedAt) / 1_000;
    const rate = Math.round(lines / seconds);
    this.#output.event('progress', { lines, refused, bytes: this.#book.read(), lines_per_second: rate });
    const head = [`${this.#bar()}${grouped(lines)} lines`, `${grouped(rate)}/s`, this.#left(seconds)];
    const text = head.filter((part) => part !== '').join('   ');
    if (!this.#output.isLive) {
      this.#output.say(`checked ${text}, refused ${grouped(refused)}`);
      return;
    }
    const worst = clusterRows(this.#total.clusters.slice(0, SHOWN_CLUSTERS));
    this.#output.show([`  checked  ${text}`, `  refused  ${grouped(refused)}`, ...tableLines(worst, [1]), '']);
  }

  clear(): void {
    this.#output.show([]);
  }

  /** Nothing for a stream, whose end nobody knows. */
  #bar(): string {
    const { bytes } = this.#book;
    if (bytes === undefined) return '';
    const read = this.#book.read();
    const shown = percent(read, bytes);
    return this.#output.isLive ? `${bar(read / bytes, BAR_COLUMNS)}  ${shown}   ` : `${shown}   `;
  }

  #left(seconds: number): string {
    const { bytes } = this.#book;
    const read = this.#book.read();
    return bytes === undefined || read === 0 ? '' : `left ${duration(seconds * (bytes / read - 1))}`;
  }
}
