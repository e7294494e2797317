import { visible, visibleLines } from '../terminal/lines.ts';
import type { Flags } from './flags.ts';
import type { Sink, Surroundings } from './surroundings.ts';

/**
 * Where a command writes: data to stdout, everything else to stderr (behaviour 25.1.2). Lines for people may hold what
 * others wrote: no control character of theirs is shown (25.1.9).
 */
export interface Output {
  /** Whether stdout carries one JSON document, or events, in place of text. */
  readonly form: 'text' | 'json' | 'json-lines';
  /** Data, as it is: NDJSON or CSV that a command streams. Resolves once the reader has taken it. */
  data(text: string): Promise<void>;
  /** A line of data for people. */
  line(text: string): Promise<void>;
  /** An event for programs: a line of JSON with `--json-lines`, nothing otherwise. */
  event(name: string, fields: object): void;
  /** A line for people; nothing with `--quiet`. It stands above what `show` shows. */
  say(line: string): void;
  /** A question, whose answer is typed behind it; also with `--quiet`. */
  ask(question: string): void;
  /** Why the command ends badly, also with `--quiet`. */
  fail(sentence: string, lines: readonly string[]): void;
  /** A block of lines that takes the place of the last one, in a terminal. Elsewhere, and with `--quiet`, nothing. */
  show(lines: readonly string[]): void;
  /** Whether `show` shows anything: if not, a command says a line from time to time instead. */
  readonly isLive: boolean;
  /** How wide a line may be. */
  readonly columns: number;
}

const NO_TERMINAL_COLUMNS = 100;

/** The output of one command. `form` decides what stdout carries. */
export function createOutput({ stdout, stderr, variables }: Surroundings, flags: Flags): Output {
  const form = flags.jsonLines ? 'json-lines' : flags.json ? 'json' : 'text';
  const isLive = stderr.isTTY === true && flags.quiet !== true && form !== 'json-lines' && variables.TERM !== 'dumb';
  const columns = (stderr.isTTY === true && stderr.columns) || NO_TERMINAL_COLUMNS;
  let shown: readonly string[] = [];

  /** One write: the cursor goes up over the block, and each line clears what it replaces. */
  function redraw(above: string, block: readonly string[]): void {
    const up = shown.length > 0 ? `\u001b[${shown.length}A\r` : '';
    const rows = block.map((line) => `${cut(visible(line), columns)}\u001b[K\n`).join('');
    stderr.write(`${up}${above === '' ? '' : `${visibleLines(above)}\u001b[K\n`}${rows}\u001b[J`);
    shown = block;
  }

  return {
    form,
    isLive,
    columns,
    data: (text) => written(stdout, text),
    line: (text) => written(stdout, `${visibleLines(text)}\n`),
    event(name, fields) {
      if (form === 'json-lines') stdout.write(`${JSON.stringify({ event: name, ...fields })}\n`);
    },
    say(line) {
      if (flags.quiet) return;
      if (shown.length > 0) redraw(line, shown);
      else stderr.write(`${visibleLines(line)}\n`);
    },
    ask(question) {
      stderr.write(visibleLines(question));
    },
    fail(sentence, lines) {
      stderr.write(`${visibleLines([sentence, ...lines].join('\n'))}\n`);
    },
    show(lines) {
      if (isLive) redraw('', lines);
    },
  };
}

/** A line that is wider than the terminal would take two rows, and the next redraw would miss one. */
function cut(line: string, columns: number): string {
  return line.length < columns ? line : `${line.slice(0, columns - 2)}…`;
}

/** A reader that is slow holds the command up, so that memory stays bounded. */
async function written(sink: Sink, text: string): Promise<void> {
  if (sink.write(text) === false && sink.once)
    await new Promise((resolve) => sink.once?.('drain', () => resolve(true)));
}
