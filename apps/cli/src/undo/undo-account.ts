import type { RemovedFigures, UndoAccountResponse } from '@causeway/contracts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { openService } from '../session/open-service.ts';
import { tableLines } from '../terminal/lines.ts';
import { grouped } from '../terminal/numbers.ts';

interface Input {
  words: [string];
  options: { supplier: string; reason?: string; dryRun?: boolean; tellAgain: boolean };
}

/** Takes one account back, or shows what that would remove (behaviour 25.10). */
export async function undoAccount(context: Context, { words: [number], options }: Input): Promise<Result> {
  const { supplier, reason, dryRun = false, tellAgain: tell_again } = options;
  const service = await openService(context);
  const request = { import_supplier_code: supplier, external_account_number: number, reason, tell_again };
  const undone = await service
    .post<UndoAccountResponse>('account-import-process/undo/', { ...request, dry_run: dryRun })
    .catch((error: unknown) => triedIn(error));
  const { service_account_number, state, removed } = undone;
  const what = dryRun ? 'would be taken back: a dry run, nothing was removed' : 'was taken back';
  const next =
    state === 'STAGED'
      ? 'It is STAGED, with all of its data: correct it or process it.'
      : 'It is UNDONE: move it again.';
  return {
    document: undone,
    lines: [
      `Account ${number} (${service_account_number}) ${what}.`,
      ...figureLines(removed),
      ...(dryRun ? [] : [next]),
    ],
  };
}

/** What a dry run would have answered. */
function triedIn(error: unknown): UndoAccountResponse {
  if (error instanceof Failure && error.code === 'dry_run_rolled_back') {
    return (error.cause as { would_answer: UndoAccountResponse }).would_answer;
  }
  throw error;
}

function figureLines(removed: RemovedFigures): string[] {
  const rows = [
    ['transfer balance', '', grouped(removed.transfer_balance)],
    ['transactions', grouped(removed.transactions), grouped(removed.transactions_sum)],
    ['statements', grouped(removed.statements), grouped(removed.statements_gross)],
    ['notes', grouped(removed.notes), ''],
    ['payment instructions', grouped(removed.payment_instructions), ''],
    ['customers', grouped(removed.customers), ''],
    ['meter points', grouped(removed.meter_points), ''],
  ];
  return tableLines(rows, [1, 2]).map((row) => `  ${row}`);
}
