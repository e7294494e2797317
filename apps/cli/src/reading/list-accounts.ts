import type { AccountImportRecord } from '@causeway/contracts';
import { NotTheService } from '@causeway/rest-client';
import type { Context, Result } from '../frame/define-command.ts';
import { failureOfCall, openService, pathOf, type Service } from '../session/open-service.ts';
import { visibleLines } from '../terminal/lines.ts';
import { grouped } from '../terminal/numbers.ts';

interface Input {
  options: { supplier: string; state: keyof typeof LISTS; after?: string };
}

const LISTS = {
  all: 'all-account-import-processes/',
  pending: 'pending-account-import-processes/',
  imported: 'imported-account-import-processes/',
};
const EXTERNAL_COLUMNS = 24;
const SERVICE_COLUMNS = 12;
const LONGEST_LINE = 1_000_000;

/** The accounts of an import supplier, as they come: memory does not grow with their number, except with `--json`. */
export async function listAccounts(context: Context, { options }: Input): Promise<Result> {
  const { output } = context;
  const service = await openService(context);
  const collected: AccountImportRecord[] = [];
  let count = 0;
  let last: string | undefined;
  for await (const records of batchesOf(service, options)) {
    count += records.length;
    last = records.at(-1)?.external_account_number ?? last;
    if (output.form === 'json') collected.push(...records);
    else if (output.form === 'json-lines') for (const record of records) output.event('account', record);
    else await output.data(visibleLines(records.map(lineOf).join('')));
  }
  output.say(`${grouped(count)} accounts.${last === undefined ? '' : ` What is added later: --after ${last}`}`);
  const document = { count, last: last ?? null };
  return { document: output.form === 'json' ? { ...document, accounts: collected } : document };
}

/** Some records at a time, as the pieces of the file bring them. */
async function* batchesOf(
  service: Service,
  { supplier, state, after }: Input['options'],
): AsyncGenerator<AccountImportRecord[]> {
  const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
  const decoder = new TextDecoder();
  let rest = '';
  const path = `${LISTS[state]}${pathOf(supplier)}${query}`;
  for await (const piece of service.read(path, 'application/x-ndjson')) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) {
      const address = `${service.url}/v1/data-import/${path}`;
      throw failureOfCall(NotTheService.becauseOfLength(address, LONGEST_LINE), service.url);
    }
    yield lines.map((line): AccountImportRecord => JSON.parse(line));
  }
}

/** Columns as wide as what usually stands in them: a table would have to wait for the last row. */
function lineOf({ external_account_number, service_account_number, account_created_at }: AccountImportRecord): string {
  const columns = [
    external_account_number.padEnd(EXTERNAL_COLUMNS),
    (service_account_number ?? '-').padEnd(SERVICE_COLUMNS),
    account_created_at ?? '-',
  ];
  return `${columns.join('  ')}\n`;
}
