import type { CheckedRequest, HistoryLine } from '@causeway/book';
import { type AccountPayload, historyOfAccount } from '@causeway/contracts';
import { DomainError } from '../errors.ts';
import { addHistory, EXISTING_ACCOUNT } from './add-history.ts';
import type { AccountChunkLine } from './chunk-line.ts';
import { stagedPayload } from './stage-lines.ts';
import type { Writing } from './write-context.ts';

/** Thrown to roll back what was added to find out what the account does not have. */
class Differs extends Error {
  override readonly name = 'Differs';
}

/**
 * Whether an account that exists was created from the payload of a line, and has all of its history with the same
 * values: then the line was moved before. Whatever differs, nothing is written.
 */
export async function isUnchanged(writing: Writing, line: AccountChunkLine): Promise<boolean> {
  const { database } = writing.context;
  const payload = JSON.stringify(stagedPayload(writing, line));
  const [account] = await database.query(EXISTING_ACCOUNT, { ...line.key, payload });
  if (account?.has_payload !== true) return false;
  const history = historyLineOf(line.account.request);
  try {
    await database.transaction(async () => {
      const { outcome, differs } = await addHistory(writing, { ...line, kind: 'history', history });
      if (outcome !== 'unchanged' || differs) throw new Differs();
    });
    return true;
  } catch (error) {
    if (error instanceof Differs || error instanceof DomainError) return false;
    throw error;
  }
}

/** The history of a payload as the separate imports take it. */
function historyLineOf({ import_supplier, external_account_number, ...payload }: AccountPayload): HistoryLine {
  const carried = historyOfAccount(payload as AccountPayload);
  const { notes, statements, transactions, historical_transactions } = carried;
  const named = { import_supplier, external_account_number, dry_run: false };
  const all = [...historical_transactions, ...transactions];
  const asUsual = { check_previously_added: true, force_add_to_current_statement: true };
  return {
    kind: 'history',
    external_account_number,
    control: undefined,
    ...(notes.length > 0 && { notes: checked({ ...named, notes }) }),
    ...(all.length > 0 && { transactions: checked({ ...named, ...asUsual, transactions: all }) }),
    ...(statements.length > 0 && { statements: checked({ ...named, statements }) }),
    payment_instructions: carried.payment_instructions.map(({ sent }) => checked({ ...named, ...sent })),
  };
}

function checked<Request>(request: Request): CheckedRequest<Request> {
  return { request, kept: undefined, undocumented: undefined, balanceFaults: [] };
}
