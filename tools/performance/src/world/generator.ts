import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { TurnAnswer } from '../load/main.ts';
import type { Turn, TurnResult } from '../load/turn.ts';

/** The load generator, a process of its own that stays warm for the whole run. */
export interface Generator {
  run(turn: Turn): Promise<TurnResult>;
  stop(): void;
}

export function startGenerator(): Generator {
  const child = fork(path.join(import.meta.dirname, '../load/main.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    run(turn) {
      child.send(turn);
      return answerOf(child);
    },
    stop: () => child.disconnect(),
  };
}

function answerOf(child: ChildProcess): Promise<TurnResult> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The load generator ended'));
    child.once('exit', onExit);
    child.once('message', (answer: TurnAnswer) => {
      child.off('exit', onExit);
      if ('error' in answer) reject(new Error(`The load generator failed: ${answer.error}`));
      else resolve(answer.result);
    });
  });
}
