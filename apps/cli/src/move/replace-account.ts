import { randomUUID } from 'node:crypto';
import { postOf } from '@causeway/rest-client';
import type { Called, Caller } from './caller.ts';
import type { Moved, MoveOptions } from './moved.ts';
import { differencesIn, isRolledBack, numberIn } from './read-answer.ts';
import { refusedBy } from './refused.ts';
import { IMPORTS } from './steps.ts';

const PATH = 'account-import-process/replace/';

/** Whether an account exists with other data than the line has, which the run is to replace. */
export const isToReplace = (staged: Called, { replaces }: MoveOptions): boolean =>
  replaces && differencesIn(staged).length > 0;

/** What is sent again, and as what. */
interface Replacing {
  staged: Called;
  account: Record<string, unknown>;
  history: History;
  options: MoveOptions;
}

type History = Partial<Record<string, Record<string, unknown>[]>>;

/**
 * Replaces the account by that of its line, with the whole history of the line (behaviour 25.10.5). The key makes an
 * attempt whose answer was lost safe to repeat. Returns what was sent, and what happened to the line.
 */
export async function replaceAccount(caller: Caller, { staged, account, history, options }: Replacing) {
  const { team, isDryRun } = options;
  const sent = withHistory(account, history);
  const named = { operations_team_name: team, expected_service_account_number: numberIn(staged), dry_run: isDryRun };
  const answer = await caller.call('process', postOf(PATH, { ...sent, ...named }, randomUUID()));
  if (answer.status >= 300 && !(isDryRun && isRolledBack(answer))) throw refusedBy(answer, 'process');
  const number = numberIn(answer);
  const moved: Partial<Moved> = { outcome: 'created', steps: isDryRun ? {} : addedBy(history) };
  return { sent, moved: { ...moved, ...(number !== undefined && { service_account_number: number }) } };
}

/** The account with the history that its line has beside it. */
function withHistory(account: Record<string, unknown>, history: History): Record<string, unknown> {
  const { payment_instruction: payment_instructions, ...imports } = history;
  const lists = Object.entries(imports).map(([name, parts = []]) => [name, parts.flatMap((part) => part[name])]);
  return { ...account, ...Object.fromEntries(lists), ...(payment_instructions && { payment_instructions }) };
}

/** What the history of a line has added to a new account. */
function addedBy(history: History): Moved['steps'] {
  const steps: Moved['steps'] = {};
  for (const name of IMPORTS) {
    const added = (history[name] ?? []).flatMap((part) => part[name] ?? part).length;
    if (added > 0) steps[name] = { added, existing: 0 };
  }
  return steps;
}
