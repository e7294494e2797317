import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The service, in a process of its own. */
export interface ServiceProcess {
  url: string;
  /** Rejects, with what the service wrote last, once it has ended without having been asked to. */
  failure: Promise<never>;
  /** Asks it to end, and waits until it has. Throws with what it wrote where that went wrong. */
  stop(): Promise<void>;
}

const MAIN = path.resolve(import.meta.dirname, '../../api/src/main.ts');
/** As `pnpm start` has it. */
const NODE_OPTIONS = ['--max-semi-space-size=16'];
const SERVES_AT = /serves at (http:\/\/\S+)/;
const LINES_KEPT = 20;

/**
 * Starts the service with these variables; its log goes to the standard output. Signals of the terminal do not reach
 * it: it ends when `stop` says so, or when this process is gone, however that came about (its channel closes then).
 *
 * @returns when it says where it serves
 * @throws with its own words if it ends before that
 */
export async function startService(variables: Record<string, string | undefined>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [...NODE_OPTIONS, MAIN], {
    env: variables,
    detached: true,
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  const lines: string[] = [];
  // 'close' comes after the last line has been read.
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const announced = new Promise<string>((resolve) => {
    createInterface({ input: child.stderr as Readable }).on('line', (line) => {
      const url = SERVES_AT.exec(line)?.[1];
      if (url) resolve(url);
      else if (lines.push(line) > LINES_KEPT) lines.shift();
    });
  });

  const refused = ended.then((how) => {
    throw new Error(lines.length > 0 ? lines.join('\n') : `The service did not start (${how}).`);
  });
  const url = await Promise.race([announced, refused]);

  let isAsked = false;
  const failure = ended.then((how) => {
    if (isAsked) return new Promise<never>(() => {});
    throw new Error([`The service ended by itself (${how}).`, ...lines].join('\n'));
  });
  for (const known of [refused, failure]) known.catch(() => {});
  return {
    url,
    failure,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      isAsked = true;
      child.kill('SIGTERM');
      const how = await ended;
      if (how !== 'exit code 0') throw new Error([`The service did not stop well (${how}).`, ...lines].join('\n'));
    },
  };
}
