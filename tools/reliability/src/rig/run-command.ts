import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileOfProgram } from '@causeway/testing';

/** A command line of `causeway`, run as a supplier runs it. */
export interface Command {
  words: readonly string[];
  variables: Record<string, string>;
  directory: string;
}

export interface Ended {
  /** Null if it was killed. */
  code: number | null;
  /** What it printed for `--json`; empty if that is none, which the claims that miss its figures show. */
  document: object;
}

const LOOK_EVERY_MS = 5;

/** Starts it as a process of its own. */
export function startCommand({ words, variables, directory }: Command) {
  const child = spawn(process.execPath, [fileOfProgram('apps/cli/src/main.ts'), ...words], {
    cwd: directory,
    env: { HOME: directory, ...variables },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let stdout = '';
  let hasEnded = false;
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk;
  });
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code) => {
      hasEnded = true;
      resolve({ code, document: parsed(stdout) });
    }),
  );
  return {
    ended,
    /** False if it ends before. */
    async lastsUntil(isSo: () => boolean): Promise<boolean> {
      while (!hasEnded && !isSo()) await delay(LOOK_EVERY_MS);
      return !hasEnded;
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs it to its end. */
export const runCommand = (command: Command): Promise<Ended> => startCommand(command).ended;

function parsed(stdout: string): object {
  try {
    return Object(JSON.parse(stdout));
  } catch {
    return {};
  }
}
