import { createHash } from 'node:crypto';
import { decimalText } from '@causeway/contracts';
import { codeOf, postOf } from '@causeway/rest-client';
import type { Called, Caller } from './caller.ts';
import { isRolledBack } from './read-answer.ts';
import { Refused } from './refused.ts';

const ADDED =
  'These transactions were added in the last 24 hours, by a line that differs from this one. Take them out of it, or ' +
  'move it without --no-check-previously-added.';
const PATH = 'transactions/create/?check_previously_added=false';

/**
 * Adds transactions without a look at those that the account has, once (behaviour 25.4.7). The key is that of the account
 * and its money alone, and the service takes no other request with it: fixed elsewhere, or in another book, the line adds
 * nothing again. The service keeps what is answered to a key, a refusal too, which would then be the answer to the fixed
 * line: so a dry run comes first, and its refusal is the answer. Of an account that was undone since, and created again,
 * the key has the new number too.
 */
export async function addUnchecked(
  caller: Caller,
  body: object,
  readNumber: () => Promise<string | undefined>,
): Promise<Called> {
  const trial = await caller.call('other', postOf(PATH, { ...body, dry_run: true }));
  // Also where it was added: a service that knows no dry run of imports has done so.
  if (!isRolledBack(trial)) return trial;
  const digest = createHash('sha256')
    .update(JSON.stringify(identityOf(body)))
    .digest('hex');
  const first = await caller.call('other', postOf(PATH, body, `causeway-${digest}`));
  const isUndone = codeOf(first) === 'account_undone';
  const answer = isUndone
    ? await caller.call('other', postOf(PATH, body, `causeway-${digest}-${await readNumber()}`))
    : first;
  const code = codeOf(answer);
  if (code !== 'idempotency_key_reused') return answer;
  const errors = [{ attr: 'transactions', code: 'control_differs' as const, detail: ADDED }];
  throw new Refused({ step: 'transactions', code, detail: ADDED, errors }, false);
}

/** The account and its money, however they are spelled and ordered, and whatever else comes with them. */
function identityOf(body: object) {
  const { import_supplier, external_account_number, transactions } = Object(body);
  const money = (transactions as Record<string, never>[]).map(
    ({ transaction_id, transaction_date, type, amount = '' }) => {
      return JSON.stringify([transaction_id, transaction_date, type, decimalText(amount)]);
    },
  );
  return [import_supplier, external_account_number, money.sort()];
}
