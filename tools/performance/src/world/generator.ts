import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { JobResult, Jobs } from '../load/jobs.ts';

/** The load generator, a process of its own that stays warm for the whole run. */
export interface Generator {
  pid: number;
  run<Kind extends keyof Jobs>(kind: Kind, of: Jobs[Kind][0]): Promise<Jobs[Kind][1]>;
  stop(): void;
}

export function startGenerator(): Generator {
  const child = fork(path.join(import.meta.dirname, '../load/main.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    pid: child.pid ?? 0,
    run: async (kind, of) => {
      child.send({ kind, of } as never);
      return (await answerOf(child)) as Jobs[typeof kind][1];
    },
    stop: () => {
      child.disconnect();
    },
  };
}

function answerOf(child: ChildProcess): Promise<Jobs[keyof Jobs][1]> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The load generator ended'));
    child.once('exit', onExit);
    child.once('message', (answer: JobResult) => {
      child.off('exit', onExit);
      if ('error' in answer) reject(new Error(`The load generator failed: ${answer.error}`));
      else resolve(answer.result);
    });
  });
}
