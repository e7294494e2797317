import { Failure } from '../frame/failure.ts';
import { commandLines } from './command-line.ts';
import type { CsvFile } from './csv-file.ts';
import { checkHeader, FileNeedsFlag, type LoadedFile, loadFile } from './load-file.ts';
import type { ConvertOptions } from './options.ts';
import type { Progress } from './progress.ts';
import { sentenceOfFile } from './report.ts';
import type { Store } from './store.ts';

interface Files {
  files: readonly CsvFile[];
  options: ConvertOptions;
  store: Store;
  progress: Progress;
  onLoaded: (file: LoadedFile, sentence: string) => void;
}

/**
 * Reads all files into the store: first their headers, then their rows.
 *
 * @throws Failure with the columns of every file that are wrong or, if none are, with every flag that is needed: nobody
 * has to run a command once a file to learn them
 */
export async function loadAll({ files, options, store, progress, onLoaded }: Files): Promise<LoadedFile[]> {
  await checkHeaders(files, options);
  const loaded: LoadedFile[] = [];
  const unclear: FileNeedsFlag[] = [];
  for (const file of files) {
    progress.begin(file);
    try {
      const one = await loadFile(file, { options, store, onRows: progress.rows, onBytes: progress.bytes });
      onLoaded(one, sentenceOfFile(one));
      loaded.push(one);
    } catch (error) {
      if (!(error instanceof FileNeedsFlag)) throw error;
      unclear.push(error);
    }
  }
  if (unclear.length > 0) throw failureOf(unclear, options);
  return loaded;
}

async function checkHeaders(files: readonly CsvFile[], options: ConvertOptions): Promise<void> {
  const refused: Failure[] = [];
  for (const file of files) {
    await checkHeader(file, options).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      refused.push(error);
    });
  }
  const [sentence, ...lines] = refused.flatMap(({ message, lines: more }) => [message, ...more]);
  if (sentence !== undefined) throw new Failure('usage', sentence, { lines });
}

function failureOf(unclear: readonly FileNeedsFlag[], options: ConvertOptions): Failure {
  const flags = [...new Set(unclear.map(({ flag }) => flag))];
  const names = [...new Set(flags.map((flag) => flag.split(' ')[0]))].join(' and ');
  const [sentence = '', ...others] = unclear.map(({ message }) => message);
  return new Failure('usage', sentence, {
    lines: [...others, `  Say which with ${names}, such as:`, ...commandLines(options, { flags })],
  });
}
