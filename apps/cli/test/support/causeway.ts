import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { type Decide, type FaultyDoor, startFaultyDoor } from '@causeway/testing';
import { expect, onTestFinished } from 'vitest';
import { run } from '../../src/run.ts';

/** What one command left behind. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
  /** stdout as the one document of `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is what the test asks.
  json(): any;
  /** stdout as lines of JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what they hold is what the test asks.
  jsonLines(): any[];
}

export interface Running {
  variables?: Record<string, string>;
  directory?: string;
  /** What stands on standard input. */
  stdin?: string;
  stop?: AbortSignal;
  now?: () => Date;
  /** A terminal of so many columns in place of a file: `show` and colours show, and `stdin` is typed. */
  columns?: number;
}

/** Runs `causeway ...words` in this process: nothing of the user's home or environment is seen. */
export async function causeway(words: readonly string[], running: Running = {}): Promise<Ended> {
  const { variables = {}, directory = tmpdir(), stdin = '', stop, now = () => new Date(), columns } = running;
  const written = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      written[name] += text;
      return true;
    },
    ...(columns !== undefined && { isTTY: true, columns }),
  });
  const code = await run(words, {
    variables: { HOME: path.join(tmpdir(), 'causeway-nobody'), ...variables },
    directory,
    stdin: Object.assign(Readable.from([stdin]), { isTTY: columns !== undefined }),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    stop: stop ?? new AbortController().signal,
    now,
  });
  return {
    code,
    ...written,
    json: () => JSON.parse(written.stdout),
    jsonLines: () =>
      written.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

/** A command that ended with this code, and says this on standard error. */
export const failure = (code: number, words: string) => ({ code, stderr: expect.stringContaining(words) });

/** A folder for this test's files, removed after it. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'causeway-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A door before the service for this test, at which some requests meet a fault. */
export async function openDoor(service: string, decide: Decide): Promise<FaultyDoor> {
  const door = await startFaultyDoor(() => service, decide);
  onTestFinished(() => door.close());
  return door;
}
