import type { Context, Result } from '../frame/define-command.ts';
import { openService } from '../session/open-service.ts';
import { grouped } from '../terminal/numbers.ts';
import { downloadFile } from './download-file.ts';
import { pathOfJob } from './job-calls.ts';

interface Input {
  words: [string];
  options: { output?: string; outcome?: string; plain?: boolean };
}

const NDJSON = 'application/x-ndjson';

/** What happened to each line. */
export const downloadResults = downloading('results/', ({ outcome }) => (outcome ? `?outcome=${outcome}` : ''));
/** The lines that were refused or failed, each with its problems: a book to correct and upload. */
export const downloadFailedRows = downloading('failed-rows/', ({ plain }) => (plain ? '?form=plain' : ''));
/** The lines that are not done. */
export const downloadUnprocessedRows = downloading('unprocessed-rows/', () => '');

function downloading(name: string, queryOf: (options: Input['options']) => string) {
  return async (context: Context, { words: [id], options }: Input): Promise<Result> => {
    const service = await openService(context);
    const pieces = service.read(`${pathOfJob(id)}${name}${queryOf(options)}`, NDJSON);
    const downloaded = await downloadFile(context, pieces, options.output);
    if (downloaded.file !== null) context.output.say(`Rows in ${options.output}: ${grouped(downloaded.rows)}.`);
    return { document: downloaded };
  };
}
