import { type AccountPayload, moneyText } from '@causeway/contracts';
import { storedPayload } from '../../account-imports/stage-account.ts';
import { type Bundle, confirmed, type DecidedHistory, decideCarried } from '../../creation/prepare-bundle.ts';
import { contextOf, type Writing } from './bulk-work.ts';
import type { AccountChunkLine, StagedChunkLine } from './chunk-line.ts';
import type { AccountFigures, Added, StepCounts } from './line-outcome.ts';
import type { CreatingLine } from './stage-and-create.ts';

/** The history of an account about to be created, as the rules decide it (behaviour 4.17): it refuses as the imports do. */
export function decideLine({ context, supplier, work }: Writing, line: AccountChunkLine): DecidedHistory {
  const payload = storedPayload(line.account.request, supplier);
  return decideCarried(context, payload, { times_staged: 1, asked: work.options });
}

/** The creation of a line's account, with the answer of its payment vendor, whom a rehearsal does not ask. */
export async function creationOf(writing: Writing, line: AccountChunkLine | StagedChunkLine): Promise<CreatingLine> {
  const { number, key } = line;
  const isStaged = line.kind === 'staged';
  const decided = isStaged ? line.decided : decideLine(writing, line);
  const figures = isStaged ? line.figures : figuresOf(line.account.request);
  const isRehearsed = writing.work.run_mode === 'REHEARSAL';
  const bundle = isRehearsed ? decided.bundle : await confirmed(contextOf(writing, line), decided);
  return { number, key, figures, bundle };
}

/** What counts of a payload for the sums. */
export function figuresOf(account: AccountPayload): AccountFigures {
  const { transfer_balance = null, account_type = null, customers = [], supply_addresses = [] } = account;
  const supply_points = supply_addresses.reduce((sum, { meter_points = [] }) => sum + meter_points.length, 0);
  const balance = transfer_balance === null ? null : moneyText(transfer_balance);
  return { transfer_balance: balance, account_type, customers: customers.length, supply_points };
}

/** What an account that was created with this history has added. */
export function addedBy(account: AccountFigures, bundle: Bundle): Added {
  const { notes, transactions, historical_transactions, statements } = bundle;
  return {
    account,
    transactions: [...transactions, ...historical_transactions],
    statements,
    notes: notes.filter(({ is_generated }) => is_generated !== true).length,
  };
}

/** The steps of a creation that added something. */
export function stepsOf({ transactions = [], statements = [], notes = 0 }: Added): StepCounts {
  const all = { notes, transactions: transactions.length, statements: statements.length };
  const added = Object.entries(all).filter(([, count]) => count > 0);
  return Object.fromEntries(added.map(([step, count]) => [step, { added: count, existing: 0 }]));
}
