import { rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { refuseToReplace } from '../frame/own-file.ts';
import { type Opened, openInput } from './open-input.ts';
import type { ConvertOptions } from './options.ts';
import { createProgress } from './progress.ts';

/** Turns files into a book (behaviour 25.2). The book appears when it is complete, or not at all. */
export async function convert(
  context: Context,
  { words: [files], options: flags }: { words: readonly [readonly string[]]; options: ConvertOptions },
): Promise<Result> {
  const options = { ...flags, files };
  const output = path.resolve(context.directory, options.output);
  const opened = await openInput(context, files, options);
  await refuseOutput(context, options.output, { output, opened });
  const workspace = `${output}.converting`;
  await makeWorkspace(workspace, options.output);
  // Where the reader of the output has gone, the process ends at once.
  const cleanUp = () => rmSync(workspace, { recursive: true, force: true });
  process.once('exit', cleanUp);
  const progress = createProgress(context, opened.sources);
  try {
    // It brings the schemas of all fields: files are opened, and the first thing is said, before them.
    const { makeBook } = await import('./make-book.ts');
    return await makeBook(opened, { context, options, progress, output, workspace });
  } catch (error) {
    throw asFull(error, options.output);
  } finally {
    progress.end();
    process.off('exit', cleanUp);
    await rm(workspace, { recursive: true, force: true });
  }
}

async function refuseOutput(
  context: Context,
  name: string,
  { output, opened }: { output: string; opened: Opened },
): Promise<void> {
  if (opened.sources.some((source) => source.path === output)) {
    throw new Failure('usage', `${name} is one of the files to read.`);
  }
  await refuseToReplace(context, [name, `${name}.rejected`]);
}

async function makeWorkspace(workspace: string, name: string): Promise<void> {
  await mkdir(workspace).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such folder' : error.message;
    if (error.code !== 'EEXIST') throw new Failure('usage', `${name} cannot be written: ${why}.`);
    const sentence = `Another run is writing ${name}, or was killed. If none is running, remove ${name}.converting.`;
    throw new Failure('usage', sentence);
  });
}

const SQLITE_FULL = 13;

function asFull(error: unknown, output: string): unknown {
  const { code, errcode } = error as { code?: string; errcode?: number };
  if (code !== 'ENOSPC' && errcode !== SQLITE_FULL) return error;
  const sentence = `The disk is full: nothing was written. Beside ${output} there must be room for twice the files.`;
  return new Failure('usage', sentence, { cause: error });
}
