import { createHash } from 'node:crypto';
import { postOf } from '@causeway/rest-client';
import type { Called, Caller } from './caller.ts';
import { isRolledBack } from './read-answer.ts';

const PATH = 'transactions/create/?check_previously_added=false';
/** As many runs may have been refused before it. */
const MOST_KEYS = 50;

/**
 * Adds transactions without a look at those that the account has, once (behaviour 25.4.7). The key is that of the account and
 * its transactions alone: mended elsewhere, or in another book, the line adds nothing again. The service keeps refusals
 * too: one that a dry run contradicts was that of an earlier run, and the next key is tried.
 */
export async function addUnchecked(caller: Caller, body: object): Promise<Called> {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const add = (nth: number) =>
    caller.call('other', postOf(PATH, body, `causeway-${digest}${nth === 1 ? '' : `-${nth}`}`));
  let answer = await add(1);
  if (!isRefused(answer) || !(await wouldAdd(caller, body))) return answer;
  for (let nth = 2; isRefused(answer) && nth <= MOST_KEYS; nth += 1) answer = await add(nth);
  return answer;
}

const isRefused = ({ status }: Called) => status >= 400 && status < 500;

async function wouldAdd(caller: Caller, body: object): Promise<boolean> {
  return isRolledBack(await caller.call('other', postOf(PATH, { ...body, dry_run: true })));
}
