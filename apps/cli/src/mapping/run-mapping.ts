import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { viewsByField } from '../convert/kinds.ts';
import { Failure } from '../frame/failure.ts';
import { grouped } from '../terminal/numbers.ts';
import {
  DEFAULT_LIMITS,
  MAPPING_PROCESS,
  type MappingLimits,
  type MappingMessage,
  type MappingTask,
  QUERY_NAME,
  type Query,
  type QueryAnswer,
} from './messages.ts';
import { programFile } from './program-file.ts';
import type { MappingResult } from './relations.ts';
import { ENDLESS } from './sql-failure.ts';

/** What is run, where, and until when. */
export interface RunMappingOptions {
  /** The sources' tables. No connection may hold it meanwhile; after a Failure it is of no use. */
  databaseFile: string;
  mapping: { name: string; text: string };
  /** For SQLite's temporary files. */
  folder: string;
  limits?: MappingLimits;
  stop: AbortSignal;
  /** Told what the process begins with: a relation's name, or the first words of a statement. */
  onStep?: (what: string) => void;
}

/**
 * Runs a mapping in a process of its own, confined and within limits: see `executeMapping`. The process has ended when
 * this returns or throws.
 *
 * @throws Failure with a sentence that says what is wrong with the mapping, or which limit it reached
 */
export async function runMapping(options: RunMappingOptions): Promise<MappingResult> {
  const last = await lastOf(options);
  if (last.type === 'done') return last.result;
  throw new Error(`A mapping ended with ${last.type}.`);
}

/** Answers one SELECT in the same way: see `executeQuery`. */
export async function runQuery(options: RunMappingOptions & { query: Query }): Promise<QueryAnswer> {
  const last = await lastOf(options);
  if (last.type === 'answered') return last.answer;
  throw new Error(`A query ended with ${last.type}.`);
}

async function lastOf({
  folder,
  stop,
  onStep,
  ...task
}: RunMappingOptions & { query?: Query }): Promise<MappingMessage> {
  await requireAuthorizer();
  const limits = task.limits ?? DEFAULT_LIMITS;
  const child = fork(fileURLToPath(programFile()), [MAPPING_PROCESS], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Nothing else of the environment: keys are in it.
    env: { SQLITE_TMPDIR: folder, TMP: folder, TEMP: folder },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    signal: stop,
    killSignal: 'SIGKILL',
  });
  const { databaseFile, mapping, query } = task;
  const request: MappingTask = { databaseFile, mapping, limits, query, viewsByField: viewsByField() };
  child.send(request);
  const { last, step, signal } = await ending(child, onStep);
  if (last?.type === 'done' || last?.type === 'answered') return last;
  if (stop.aborted || signal === 'SIGINT' || signal === 'SIGTERM' || signal === 'SIGHUP') {
    throw new Failure('interrupted', 'Interrupted.');
  }
  if (last?.type === 'failed') throw new Failure('usage', last.sentence, { lines: last.lines });
  const place =
    step?.what === QUERY_NAME
      ? QUERY_NAME
      : `${mapping.name}${step === undefined ? '' : ` line ${step.line}: ${step.what}`}`;
  if (last?.type === 'limit') throw new Failure('usage', `${place} ${LIMIT_SENTENCES[last.limit](limits)} ${ENDLESS}`);
  const detail = last?.type === 'broken' ? last.message : `its process ended (${signal ?? 'without a signal'})`;
  throw new Error(`${place}: ${detail}`, { cause: last?.type === 'broken' ? last.stack : undefined });
}

const LIMIT_SENTENCES: Readonly<Record<keyof MappingLimits, (limits: MappingLimits) => string>> = {
  minutes: ({ minutes }) => `was stopped after ${minutes} minutes.`,
  memoryMb: ({ memoryMb }) => `was stopped: it needed more than ${grouped(memoryMb)} MB of memory.`,
  diskMb: ({ diskMb }) => `was stopped: it needed more than ${grouped(diskMb)} MB of disk.`,
};

interface Ending {
  /** Undefined: the process ended without a word. */
  last: MappingMessage | undefined;
  step: { line: number; what: string } | undefined;
  signal: NodeJS.Signals | null;
}

function ending(child: ChildProcess, onStep?: (what: string) => void): Promise<Ending> {
  return new Promise((resolve, reject) => {
    let [last, step]: [Ending['last'], Ending['step']] = [undefined, undefined];
    child.on('message', (message: MappingMessage) => {
      if (message.type !== 'step') last ??= message;
      else {
        step = message;
        onStep?.(message.what);
      }
    });
    child.on('error', (error) => {
      // It never began. Whatever happens later closes it.
      if (child.pid === undefined) reject(error);
    });
    child.on('close', (_code, signal) => resolve({ last, step, signal }));
  });
}

/** @throws Failure where Node's SQLite cannot confine statements */
async function requireAuthorizer(): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite');
  if (typeof DatabaseSync.prototype.setAuthorizer === 'function') return;
  throw new Failure('usage', `A mapping needs Node 24.10 or newer: this is ${process.versions.node}.`, {
    lines: ['  Install a newer Node. Without --mapping and map, the command line runs on Node 22.15.'],
  });
}
