import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileOfProgram } from './bundled-programs.ts';
import { keepCompiled, OF_EVERY_PROCESS } from './keep-compiled.ts';

/** One instance of the service in its own process, as an operator runs it. */
export interface ServiceProcess {
  /** Changes with each `restart`. Throws, with the process's output, once the process has crashed. */
  readonly url: string;
  readonly pid: number;
  /** Whether it has ended, for any reason. */
  readonly exited: boolean;
  /** Every line of its log (standard output) since the first start; empty if the log is dropped. */
  readonly logLines: readonly string[];
  /** Every line of its standard error: start-up messages, and Node's output after a crash. */
  readonly errorLines: readonly string[];
  /** kill -9; resolves when the process has ended. */
  kill(): Promise<void>;
  /** SIGTERM, or another signal to stop; resolves with its exit code, once it has drained. */
  terminate(signal?: NodeJS.Signals): Promise<number | null>;
  /** Its exit code, once it has ended by itself. */
  ended(): Promise<number | null>;
  /** Starts it again, killing it first if it still runs. */
  restart(): Promise<void>;
}

export interface ServiceProcessOptions {
  /** It logs as usual, but the log is dropped: for measurements. */
  dropLog?: boolean;
  /** The command that runs the service: `SERVICE_PROGRAM` unless given. */
  program?: readonly string[];
}

/** As in `pnpm start`: a young generation of 16 MB instead of 32 keeps the service smaller. */
export const SERVICE_PROGRAM: readonly string[] = [
  ...[process.execPath, '--max-semi-space-size=16', fileOfProgram('apps/api/src/main.ts')],
];
/** Shared, so that instances on one database accept each other's tokens, whichever process starts them. */
export const TOKEN_SECRET = 'the secret of all services in tests';
const SERVES_AT = /serves at (http:\/\/\S+)/;

/**
 * Runs `apps/api/src/main.ts` with these variables (DATABASE_URL and STAFF_API_KEY among them) and PORT 0. With a
 * DATABASE_URL it gets a `TOKEN_SECRET` too, unless the variables have one.
 *
 * @returns once it reports that it serves
 * @throws with its output if it ends before that
 */
export async function startServiceProcess(
  variables: Record<string, string>,
  { dropLog = false, program }: ServiceProcessOptions = {},
): Promise<ServiceProcess> {
  const logLines: string[] = [];
  const errorLines: string[] = [];
  const lines = { logLines: dropLog ? undefined : logLines, errorLines };
  if (program === undefined) await keepCompiled();
  const start = () => launch(program ?? SERVICE_PROGRAM, variables, lines);
  let current = await start();
  return {
    get url() {
      if (current.hasCrashed()) throw new Error(`The service ended by itself:\n${errorLines.slice(-20).join('\n')}`);
      return current.url;
    },
    get pid() {
      return current.pid;
    },
    get exited() {
      return current.hasExited();
    },
    logLines,
    errorLines,
    async kill() {
      current.signal('SIGKILL');
      await current.exit;
    },
    terminate(signal = 'SIGTERM') {
      current.signal(signal);
      return current.exit;
    },
    ended: () => current.exit,
    async restart() {
      current.signal('SIGKILL');
      await current.exit;
      current = await start();
    },
  };
}

interface Launched {
  url: string;
  pid: number;
  exit: Promise<number | null>;
  hasExited(): boolean;
  hasCrashed(): boolean;
  signal(name: NodeJS.Signals): void;
}

function launch(
  [command = '', ...words]: readonly string[],
  variables: Record<string, string>,
  lines: { logLines: string[] | undefined; errorLines: string[] },
): Promise<Launched> {
  const secret = variables.DATABASE_URL === undefined ? {} : { TOKEN_SECRET };
  const env = { ...OF_EVERY_PROCESS, ...secret, ...variables, PORT: '0' };
  const { logLines, errorLines } = lines;
  const child = spawn(command, words, {
    env,
    stdio: ['ignore', logLines ? 'pipe' : 'ignore', 'pipe'],
  });
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  let exited = false;
  let wasAsked = false;
  const signal = (name: NodeJS.Signals) => {
    wasAsked = true;
    child.kill(name);
  };
  const exit = new Promise<number | null>((resolve) => {
    // 'close' comes after the last line has been read.
    child.once('close', (code) => {
      exited = true;
      process.off('exit', killWithUs);
      resolve(code);
    });
  });
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => logLines?.push(line));
  const errors = createInterface({ input: child.stderr as Readable });
  return new Promise((resolve, reject) => {
    errors.on('line', (line) => {
      errorLines.push(line);
      const url = SERVES_AT.exec(line)?.[1];
      if (url === undefined) return;
      const hasCrashed = () => exited && !wasAsked;
      resolve({ url, pid: child.pid ?? 0, exit, hasExited: () => exited, hasCrashed, signal });
    });
    child.once('error', reject);
    void exit.then((code) =>
      reject(new Error(`The service ended with ${code} before it served:\n${errorLines.slice(-20).join('\n')}`)),
    );
  });
}
