import type { Screen } from './screen.ts';

const WIDTH = 40;

export interface Progress {
  show(moved: number): void;
  /** Says how it went, behind what was shown last. */
  end(remark: string): void;
}

/** Shows how far the move has come: a bar that is redrawn in a terminal, a line for each quarter elsewhere. */
export function createProgress(screen: Screen, total: number): Progress {
  const quarterOf = (moved: number) => Math.floor((moved * 4) / total);
  const show = (moved: number) => {
    if (screen.isTerminal) {
      const filled = Math.round((moved / total) * WIDTH);
      const bar = screen.paint('green', '█'.repeat(filled)) + screen.paint('dim', '░'.repeat(WIDTH - filled));
      screen.write(`\r  ${bar}  ${moved} of ${total} accounts`);
    } else if (quarterOf(moved) > quarterOf(moved - 1)) {
      // What `end` says stands behind the last one.
      screen.write(
        `  ${String(moved).padStart(String(total).length)} of ${total} accounts${moved === total ? '' : '\n'}`,
      );
    }
  };
  return { show, end: (remark) => screen.write(`, ${remark}\n`) };
}
