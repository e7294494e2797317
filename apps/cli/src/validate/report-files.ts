import { type FileHandle, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../frame/failure.ts';
import { openOwnFile } from '../frame/own-file.ts';

/** The files of a validation, in a folder of their own. They take the place of earlier ones when all are written. */
export class ReportFiles {
  readonly folder: string;
  readonly #results: FileHandle;
  readonly #failed: FileHandle;

  private constructor(folder: string, { results, failed }: { results: FileHandle; failed: FileHandle }) {
    this.folder = folder;
    this.#results = results;
    this.#failed = failed;
  }

  /** Throws a Failure where nothing can be written. */
  static open(folder: string): Promise<ReportFiles> {
    return written(folder, async () => {
      await mkdir(folder, { recursive: true });
      const results = await openOwnFile(unfinished(folder, RESULTS), 'anew');
      const failed = await openOwnFile(unfinished(folder, FAILED), 'anew').catch(async (error) => {
        await results.close();
        throw error;
      });
      return new ReportFiles(folder, { results, failed });
    });
  }

  add({ results, failed }: { results: Uint8Array; failed: Uint8Array }): Promise<void> {
    return written(this.folder, async () => {
      if (results.length > 0) await this.#results.writeFile(results);
      if (failed.length > 0) await this.#failed.writeFile(failed);
    });
  }

  /** Gives the files their names; without it they are removed. */
  async finish(summary: object): Promise<void> {
    await written(this.folder, async () => {
      await Promise.all([this.#results.close(), this.#failed.close()]);
      const file = await openOwnFile(unfinished(this.folder, SUMMARY), 'anew');
      await file.writeFile(`${JSON.stringify(summary, null, 2)}\n`).finally(() => file.close());
      for (const name of [RESULTS, FAILED, SUMMARY])
        await rename(unfinished(this.folder, name), path.join(this.folder, name));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#results.close(), this.#failed.close()]);
    for (const name of [RESULTS, FAILED, SUMMARY]) await rm(unfinished(this.folder, name), { force: true });
  }
}

export const RESULTS = 'results.ndjson';
export const FAILED = 'failed.ndjson';
export const SUMMARY = 'summary.json';

/** An earlier report may be the book that is read. */
function unfinished(folder: string, name: string): string {
  return path.join(folder, `${name}.unfinished`);
}

async function written<Value>(folder: string, write: () => Promise<Value>): Promise<Value> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOSPC' ? 'the disk is full' : code === 'EACCES' ? 'you may not write there' : message;
    const sentence = `The report cannot be written to ${folder}: ${why}. Choose another folder with --report.`;
    throw new Failure('usage', sentence, { cause: error });
  }
}
