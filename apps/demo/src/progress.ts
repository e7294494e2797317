import type { Screen } from './screen.ts';

const WIDTH = 40;
/** Of the line in a terminal, where something longer may stand. */
const CLEAR_REST = '\u001b[K';

export interface Progress {
  /** The remark follows what is shown; it changes from time to time. */
  show(moved: number, remark?: string): void;
  /** Says how it went, behind what was shown last. */
  end(remark: string): void;
}

/** Shows how far the move has come: a bar that is redrawn in a terminal, a line for each quarter elsewhere. */
export function createProgress(screen: Screen, total: number): Progress {
  const quarterOf = (moved: number) => Math.floor((moved * 4) / total);
  let before = 0;
  const show = (moved: number, remark = '') => {
    if (screen.isTerminal) {
      const filled = Math.round((moved / total) * WIDTH);
      const bar = screen.paint('green', '█'.repeat(filled)) + screen.paint('dim', '░'.repeat(WIDTH - filled));
      screen.write(`\r  ${bar}  ${moved} of ${total} accounts${remark}${CLEAR_REST}`);
    } else if (quarterOf(moved) > quarterOf(before)) {
      // What `end` says stands behind the last one.
      screen.write(
        `  ${String(moved).padStart(String(total).length)} of ${total} accounts${moved === total ? '' : '\n'}`,
      );
    }
    before = moved;
  };
  return { show, end: (remark) => screen.write(`, ${remark}\n`) };
}
