import type { Source } from '../extract/source.ts';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { bar, counted } from '../terminal/numbers.ts';

/** Shows how far the conversion is, and stops it at Ctrl-C. */
export interface Progress {
  begin(file: Source): void;
  rows(more: number): void;
  bytes(more: number): void;
  /** What is being done, where nothing is counted. */
  step(what: string): void;
  written(moreLines: number): void;
  /** Takes the block away. */
  end(): void;
}

const LIVE_INTERVAL_MS = 100;
const REMARK_INTERVAL_MS = 10_000;
const TICK_MS = 1_000;
const BAR_COLUMNS = 24;

export function createProgress({ output, stop, now }: Context, files: readonly Source[]): Progress {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const interval = output.isLive ? LIVE_INTERVAL_MS : REMARK_INTERVAL_MS;
  const reached = { file: '', rows: 0, bytes: 0, lines: 0 };
  let said = now().getTime();
  let ticking: NodeJS.Timeout | undefined;

  if (output.isLive) output.show([`  read     ${counted(0, 'row')}  ${bar(0, BAR_COLUMNS)}`]);

  function tell(): void {
    if (stop.aborted) throw new Failure('interrupted', 'Interrupted. Nothing was written.');
    const time = now().getTime();
    if (time - said < interval) return;
    said = time;
    const share = total === 0 ? 0 : reached.bytes / total;
    const what =
      reached.lines > 0 ? `written  ${counted(reached.lines, 'line')}` : `read     ${counted(reached.rows, 'row')}`;
    if (output.isLive) output.show([`  ${what}  ${bar(share, BAR_COLUMNS)}  ${reached.file}`]);
    else output.say(`${what}, ${Math.floor(share * 100)} % of the files`);
  }

  return {
    begin({ name }) {
      reached.file = name;
    },
    rows(more) {
      reached.rows += more;
      tell();
    },
    bytes(more) {
      reached.bytes += more;
    },
    step(what) {
      clearInterval(ticking);
      const began = now().getTime();
      const tick = () => {
        const seconds = Math.round((now().getTime() - began) / 1_000);
        if (output.isLive) output.show([`  ${what}  ${seconds} s`]);
        else output.say(`${what}, ${seconds} s so far`);
      };
      if (output.isLive) tick();
      ticking = setInterval(tick, output.isLive ? TICK_MS : REMARK_INTERVAL_MS);
    },
    written(more) {
      reached.lines += more;
      tell();
    },
    end() {
      clearInterval(ticking);
      output.show([]);
    },
  };
}
