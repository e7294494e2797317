import type { Context, Result } from '../frame/define-command.ts';
import { downloadFile } from '../jobs/download-file.ts';
import { openService, pathOf } from '../session/open-service.ts';
import { grouped } from '../terminal/numbers.ts';

interface Input {
  options: { supplier: string; form: keyof typeof MEDIA_TYPES; output?: string };
}

const MEDIA_TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

/** The old and the new number of every account that was created. */
export async function downloadMapping(context: Context, { options }: Input): Promise<Result> {
  const { supplier, form, output: target } = options;
  const service = await openService(context);
  const path = `imported-account-import-processes/${pathOf(supplier)}`;
  const downloaded = await downloadFile(context, service.read(path, MEDIA_TYPES[form]), target);
  const accounts = form === 'csv' ? Math.max(downloaded.rows - 1, 0) : downloaded.rows;
  if (downloaded.file !== null) context.output.say(`Accounts in ${target}: ${grouped(accounts)}.`);
  return { document: { file: downloaded.file, bytes: downloaded.bytes, accounts } };
}
