import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';

/** A server under test, as its own process. */
export interface System {
  name: string;
  url: string;
  pid: number;
  /** When the process was started, on the bench's clock (`performance.now`). */
  startedAt: number;
  /** Sends SIGTERM, and waits until it has ended. */
  stop(): Promise<void>;
}

export interface SystemOptions {
  name: string;
  program: string;
  variables: Record<string, string>;
  /** Options of node itself. */
  nodeOptions?: string[];
}

const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');
export const SERVICE_PROGRAM = path.join(REPOSITORY, 'apps/api/src/main.ts');
/** Present after `pnpm build`. */
export const BUILT_PROGRAM = path.join(REPOSITORY, 'dist/main.js');
export const REFERENCE_PROGRAM = path.join(REPOSITORY, 'tools/performance/reference/server.ts');
export const PEER_PROGRAM = path.join(REPOSITORY, 'tools/performance/peer/server.ts');
export const PEER_TABLES = path.join(REPOSITORY, 'tools/performance/peer/schema.sql');

const SERVES_AT = /serves at (http:\/\/\S+)/;

/** Starts a server on a free port and waits until it reports its address. Its log goes to /dev/null, at `info`. */
export async function startSystem({ name, program, variables, nodeOptions = [] }: SystemOptions): Promise<System> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, program], {
    // Without the caller's environment, which may contain settings of the service.
    env: { PATH: process.env.PATH, NODE_ENV: 'production', LOG_LEVEL: 'info', PORT: '0', ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await addressOf(child, name);
  return { name, url, pid: child.pid ?? 0, startedAt, stop: () => stop(child) };
}

function addressOf(child: ChildProcess, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-4_000);
      const url = SERVES_AT.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The ${name} left with ${code}:\n${said}`)));
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
