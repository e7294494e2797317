import type { Context } from '../frame/define-command.ts';
import { bar, bytes, duration, grouped, percent } from '../terminal/numbers.ts';
import type { StoredPart } from './send-parts.ts';

const BAR_COLUMNS = 24;
const LINE_EVERY_MS = 10_000;

/** How far an upload is: what the service has stored counts, and not what was read or sent. */
export class UploadProgress {
  readonly #context: Context;
  readonly #name: string;
  readonly #allBytes: number | undefined;
  readonly #startedAt: number;
  #saidAt: number;
  #parts = 0;
  #lines = 0;
  /** Of the files, up to the parts that are stored. */
  #done = 0;
  #skipped = 0;
  /** Parts that are stored before one in front of them, by their numbers. */
  readonly #waiting = new Map<number, number>();

  constructor(context: Context, name: string, allBytes: number | undefined) {
    this.#context = context;
    this.#name = name;
    this.#allBytes = allBytes;
    this.#startedAt = context.now().getTime();
    this.#saidAt = this.#startedAt;
    this.#show();
  }

  stored({ number, lines, readBytes, isNew }: StoredPart): void {
    this.#parts += 1;
    this.#lines += lines;
    this.#waiting.set(number, readBytes);
    this.#done = this.#upTo();
    if (!isNew) this.#skipped = this.#done;
    this.#context.output.event('part', { number, lines, is_new: isNew });
    this.#show();
  }

  end(): void {
    this.#context.output.show([]);
  }

  /** The place behind the parts that are stored without a gap. */
  #upTo(): number {
    let done = this.#done;
    for (const number of [...this.#waiting.keys()].sort((one, other) => one - other)) {
      if (number > this.#nextNumber) break;
      done = this.#waiting.get(number) ?? done;
      this.#waiting.delete(number);
      this.#nextNumber = number + 1;
    }
    return done;
  }
  #nextNumber = 1;

  #show(): void {
    const { output, now } = this.#context;
    if (output.isLive) {
      const all = this.#allBytes;
      const drawn =
        all === undefined ? [] : [`${bar(this.#done / (all || 1), BAR_COLUMNS)}  ${percent(this.#done, all)}`];
      output.show([this.#name, `  ${[...drawn, ...this.#words()].join('  ')}`]);
    } else if (now().getTime() - this.#saidAt >= LINE_EVERY_MS) {
      this.#saidAt = now().getTime();
      output.say(`uploading ${this.#name}  ${this.#words().join('  ')}`);
    }
  }

  #words(): string[] {
    const all = this.#allBytes;
    const seconds = (this.#context.now().getTime() - this.#startedAt) / 1_000;
    const rate = seconds > 0 ? (this.#done - this.#skipped) / seconds : 0;
    return [
      `${bytes(this.#done)}${all === undefined ? '' : ` of ${bytes(all)}`}`,
      `${grouped(this.#lines)} lines stored`,
      ...(rate > 0 ? [`${bytes(Math.round(rate))}/s`] : []),
      ...(rate > 0 && all !== undefined ? [`left ${duration((all - this.#done) / rate)}`] : []),
    ];
  }
}
