import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { fileOfProgram, layCluster } from '@causeway/testing';

const MAIN = fileOfProgram('apps/demo/src/main.ts');

/** Runs the demo as a user does, on a data directory of its own, in which there is a database server already. */
export interface DemoRunner {
  start(variables?: Record<string, string>, ...options: string[]): ChildProcess;
  isDatabaseRunning(): boolean;
  /** Ends those that a failed test left behind, and removes the data. */
  close(): Promise<void>;
}

export async function createDemoRunner(accounts: number): Promise<DemoRunner> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'causeway-demo-'));
  await layCluster(dataDirectory);
  const running: ChildProcess[] = [];
  return {
    start(variables = {}, ...options) {
      const { PATH, NODE_COMPILE_CACHE } = process.env;
      const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDirectory, PORT: '0', ...variables };
      const demo = spawn(process.execPath, [MAIN, '--accounts', String(accounts), ...options], { env });
      running.push(demo);
      return demo;
    },
    isDatabaseRunning: () => existsSync(path.join(dataDirectory, 'postgres', 'postmaster.pid')),
    async close() {
      // Its database has to stop before the folder goes.
      await Promise.all(running.map((demo) => (demo.kill() ? once(demo, 'close') : undefined)));
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Resolves with all that was written, standard error included, once `until` shows or the demo has ended. */
export function outputOf(demo: ChildProcess, until?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (until !== undefined && output.includes(until)) resolve(output);
    };
    demo.stdout?.on('data', read);
    demo.stderr?.on('data', read);
    demo.once('error', reject).once('close', () => resolve(output));
  });
}

/** The process id of the demo's service, which is its only child. */
export async function serviceOf(demo: ChildProcess): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const processes = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const [pid] = processes.find(([, parent]) => parent === demo.pid) ?? [];
  if (pid === undefined) throw new Error('The demo has no service');
  return pid;
}
