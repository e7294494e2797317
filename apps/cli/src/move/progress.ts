import type { Book } from '../book-files/book.ts';
import type { Context } from '../frame/define-command.ts';
import { bar, counted, duration, grouped, percent } from '../terminal/numbers.ts';
import type { Caller } from './caller.ts';
import { moneyLine } from './money.ts';
import type { Runner } from './run-book.ts';
import type { Tally } from './tally.ts';

/** What is shown of a run. */
export interface Shown {
  book: Book;
  tally: Tally;
  caller: Caller;
  runner: Pick<Runner, 'inFlight' | 'finishedBytes'>;
}

const DRAWN_EVERY_MS = 250;
const SAID_EVERY_MS = 10_000;
const BAR_COLUMNS = 24;
const SHOWN_REASONS = 3;
/** The rate is that of the last minute, in steps of five seconds. */
const SAMPLED_EVERY_MS = 5_000;
const SAMPLES = 12;
const ENOUGH_SAMPLES = 4;

/** Shows a run while it lasts: a block in a terminal, a line now and then elsewhere, events for programs. */
export function showProgress(shown: Shown, { output }: Pick<Context, 'output'>): Disposable {
  const pace = new Pace(shown);
  const draw = setInterval(() => output.show(blockOf(shown, pace)), DRAWN_EVERY_MS);
  const sample = setInterval(() => pace.sample(), SAMPLED_EVERY_MS);
  const say = setInterval(() => {
    output.event('progress', {
      ...shown.tally.toJSON(),
      reasons: undefined,
      in_flight: shown.runner.inFlight,
      limit: shown.caller.limit,
    });
    if (!output.isLive) output.say(lineOf(shown, pace));
  }, SAID_EVERY_MS);
  return {
    [Symbol.dispose]() {
      for (const timer of [draw, sample, say]) clearInterval(timer);
      output.show([]);
    },
  };
}

/** How fast lines are finished, and how long the rest will take. */
class Pace {
  readonly #shown: Shown;
  readonly #samples: { at: number; lines: number; bytes: number }[] = [];

  constructor(shown: Shown) {
    this.#shown = shown;
    this.sample();
  }

  sample(): void {
    const { tally, runner } = this.#shown;
    this.#samples.push({ at: performance.now(), lines: tally.lines, bytes: runner.finishedBytes });
    if (this.#samples.length > SAMPLES + 1) this.#samples.shift();
  }

  get linesPerSecond(): number {
    const [first] = this.#samples;
    if (first === undefined) return 0;
    return ((this.#shown.tally.lines - first.lines) * 1_000) / Math.max(1, performance.now() - first.at);
  }

  /** With the band of the last minute; undefined at the beginning, and for a stream. */
  get left(): string | undefined {
    const { book, runner } = this.#shown;
    const { bytes } = book;
    if (bytes === undefined || this.#samples.length <= ENOUGH_SAMPLES) return undefined;
    const rates = this.#samples.slice(1).map((sample, index) => {
      const before = this.#samples[index] ?? sample;
      return (sample.bytes - before.bytes) / Math.max(1, sample.at - before.at);
    });
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    const mean = first && last ? (last.bytes - first.bytes) / (last.at - first.at) : 0;
    if (mean <= 0) return undefined;
    const sorted = [...rates.filter((rate) => rate > 0), mean].sort((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? mean;
    const seconds = (rate: number) => duration((bytes - runner.finishedBytes) / rate / 1_000);
    const [slow, fast] = [Math.min(at(0.1), mean), Math.max(at(0.9), mean)];
    return `left ${seconds(mean)} (${seconds(fast)} to ${seconds(slow)})`;
  }
}

function blockOf(shown: Shown, pace: Pace): string[] {
  const { tally, caller, runner } = shown;
  const { bytes } = shown.book;
  const done = runner.finishedBytes;
  const share = bytes === undefined ? '' : `${bar(done / bytes, BAR_COLUMNS)} ${percent(done, bytes)}   `;
  const rate = `${grouped(Math.round(pace.linesPerSecond))} accounts/s`;
  const left = pace.left === undefined ? '' : `   ${pace.left}`;
  return [
    `  moved    ${share}${grouped(tally.moved)}   refused ${grouped(tally.refused)}`,
    `  pace     ${rate}   in flight ${runner.inFlight} (limit ${caller.limit})${left}`,
    `  money    ${moneyLine(tally.money)}`,
    ...reasonLines(tally, SHOWN_REASONS),
    ...(caller.trouble === undefined ? [] : [`  waiting  the service ${caller.trouble}`]),
  ];
}

function lineOf({ tally, book, caller, runner }: Shown, pace: Pace): string {
  const { bytes } = book;
  return [
    bytes === undefined ? '' : percent(runner.finishedBytes, bytes),
    `${grouped(tally.moved)} moved`,
    `${grouped(tally.refused)} refused`,
    `${grouped(Math.round(pace.linesPerSecond))} accounts/s`,
    `in flight ${runner.inFlight} (limit ${caller.limit})`,
    pace.left ?? '',
    caller.trouble === undefined ? '' : `waiting: the service ${caller.trouble}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** The commonest reasons for refusals, one a line. */
export function reasonLines({ reasons: all }: Tally, most: number): string[] {
  const reasons = all.filter(({ refused }) => refused);
  const more = reasons.length - most;
  return [
    ...reasons
      .slice(0, most)
      .map(({ step, code, attr, lines }) => `  refused  ${grouped(lines)}  ${step}  ${code}  ${attr}`),
    ...(more > 0 ? [`           and ${counted(more, 'other reason')}`] : []),
  ];
}
