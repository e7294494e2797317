import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { AccountImportRecord } from '@causeway/contracts';
import type { Context } from '../frame/define-command.ts';
import { openService, pathOf, type Service } from '../session/open-service.ts';
import { counted } from '../terminal/numbers.ts';
import type { Checkpoint } from './checkpoint/checkpoint.ts';

const PAGE = 10_000;
const MOVED = new Set(['created', 'updated', 'unchanged']);

/** What decides whether lines that an earlier run has moved are moved again. */
interface Earlier {
  last: Checkpoint['last'];
  /** The folder of the checkpoint. */
  place: string;
  supplier: string;
  settings: { undo_hours: number };
  isDryRun: boolean;
}

/** Lines that an earlier run has moved, and whose accounts were undone since (behaviour 25.10.4). */
export async function linesToSendAgain(context: Context, earlier: Earlier): Promise<Set<number>> {
  const { last, place, supplier, settings, isDryRun } = earlier;
  if (last === undefined || isDryRun || settings.undo_hours === 0) return new Set();
  const again = await findUndone(await openService(context), supplier, path.join(place, 'results.ndjson'));
  if (again.size > 0) {
    context.output.say(`${counted(again.size, 'line')} of accounts that were undone since: sent again.`);
  }
  return again;
}

/**
 * The numbers of lines that an earlier run has moved and whose accounts do not exist any more: they were undone since.
 *
 * @param results the file with what happened to each line
 */
async function findUndone(service: Service, supplier: string, results: string): Promise<Set<number>> {
  const absent = await accountsWithoutNumber(service, supplier);
  const lines = new Set<number>();
  if (absent.size === 0) return lines;
  for await (const text of createInterface({ input: createReadStream(results), crlfDelay: Number.POSITIVE_INFINITY })) {
    const { line, external_account_number, outcome } = JSON.parse(text);
    if (MOVED.has(outcome) && absent.has(external_account_number)) lines.add(line);
  }
  return lines;
}

async function accountsWithoutNumber(service: Service, supplier: string): Promise<Set<string>> {
  const found = new Set<string>();
  const list = `all-account-import-processes/${pathOf(supplier)}`;
  let after = '';
  for (;;) {
    const page: AccountImportRecord[] = await service.get(`${list}?limit=${PAGE}${after}`);
    for (const { external_account_number, service_account_number } of page) {
      if (service_account_number === null) found.add(external_account_number);
    }
    const last = page.at(-1);
    if (last === undefined) return found;
    after = `&after=${encodeURIComponent(last.external_account_number)}`;
  }
}
