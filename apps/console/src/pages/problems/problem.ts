import type { LinkProps } from '@tanstack/react-router';
import type { OutputOf } from '../../data/ask.ts';
import { counted } from '../../format/numbers.ts';
import { dateTime } from '../../format/times.ts';
import { meaningOf, words } from '../../format/words.ts';

export type Problem = OutputOf<'dataImport.listProblems'>[number];
export type ProblemAccount = OutputOf<'accountImports.listByProblem'>[number];
export type Migration = OutputOf<'overview.migrations'>[number];
/** How the service names a kind of problem. */
export type ProblemKey = Pick<Problem, 'operation' | 'refused' | 'code' | 'attr'>;

/** As many as the service lists. */
export const MOST_PROBLEMS = 1_000;

/** What keeps accounts from being complete? Answered, as far as they are counted. */
export function answerOf(migrations: readonly Migration[] | undefined): string {
  if (migrations === undefined) return 'What keeps accounts from being complete?';
  const uncounted = migrations.filter(({ sampled_at }) => sampled_at === null).length;
  const troubled = migrations.filter(({ open_problems }) => open_problems > 0);
  const kinds = troubled.reduce((sum, { open_problems }) => sum + open_problems, 0);
  if (kinds === 0 && uncounted === 0) return 'Nothing keeps an account from being complete.';
  const known = `${counted(kinds, 'kind')} of problem, at ${counted(troubled.length, 'import supplier')}.`;
  return [
    kinds === 0 ? 'No problem is known.' : known,
    ...(uncounted === 0
      ? []
      : [`${counted(uncounted, 'import supplier is', 'import suppliers are')} not counted yet.`]),
  ].join(' ');
}

export function keyOf({ operation, refused, code, attr }: Problem): ProblemKey {
  return { operation, refused, code, attr };
}

/** The page of a problem. */
export function pageOfProblem(
  code: string,
  { operation, refused, code: problem, attr }: Omit<ProblemKey, 'code'> & { code: string },
): LinkProps {
  return {
    to: '/migrations/$code/problems/$operation/$problem',
    params: { code, operation, problem },
    search: { ...(attr !== '' && { attr }), ...(!refused && { reported: true as const }) },
  };
}

export function isSame(
  one: ProblemKey,
  other: Pick<ProblemKey, 'refused' | 'attr'> & Record<'operation' | 'code', string>,
) {
  return (
    one.operation === other.operation &&
    one.refused === other.refused &&
    one.code === other.code &&
    one.attr === other.attr
  );
}

/** A letter to the supplier's engineer: what is wrong, in how many, where, and what to do. No value of a customer. */
export function letterOf(supplier: string, problem: Problem): string {
  const { operation, refused, code, attr, accounts, sample_account_numbers, first_seen_at, last_seen_at } = problem;
  const { when, remedy } = meaningOf(code, refused);
  return [
    `${supplier}: ${counted(accounts, 'account')} with ${code}${attr === '' ? '' : ` in ${attr}`}`,
    '',
    `What: ${when}`,
    ...(attr === '' ? [] : [`Field: ${attr}`]),
    `Request: ${words(operation)}, ${refused ? 'refused' : 'accepted, but reported'}`,
    `Seen: ${dateTime(first_seen_at)} to ${dateTime(last_seen_at)}`,
    `For example: ${sample_account_numbers.join(', ')}`,
    '',
    `What to do: ${remedy ?? 'Correct the field, then send the same request again.'}${refused ? ' An account is off this list as soon as the request succeeds for it.' : ''}`,
  ].join('\n');
}

/** One line an account, as failed rows have them, without the data: that is with the supplier. */
export function linesOf(key: ProblemKey, accounts: readonly ProblemAccount[]): string {
  return accounts
    .map(({ external_account_number, state, times, request_id, last_seen_at }) =>
      JSON.stringify({
        external_account_number,
        step: key.operation,
        code: key.code,
        attr: key.attr,
        state,
        times,
        request_id,
        last_seen_at,
      }),
    )
    .map((line) => `${line}\n`)
    .join('');
}
