import { queryOptions } from '@tanstack/react-query';
import { type InputOf, type OutputOf, untyped } from '../../data/ask.ts';

export type Email = OutputOf<'customerEmails.listOfSupplier'>[number];
export type State = NonNullable<InputOf<'customerEmails.listOfSupplier'>['state']>;

/** More nobody reads on a page. */
export const MOST_EMAILS = 1_000;
/** Those that somebody looks for. What is being handed over is something else within seconds. */
export const STATES: readonly State[] = ['QUEUED', 'SENT', 'REFUSED', 'GIVEN_UP', 'IN_DOUBT', 'NOT_SENT'];

export interface EmailSearch {
  state?: string | undefined;
  account?: string | undefined;
}

/** E-mails of one account, or of a supplier: in one state, or those that were not delivered. */
export function askEmails(code: string, { state: asked, account }: EmailSearch) {
  const state = STATES.find((each) => each === asked);
  return queryOptions({
    queryKey: ['customerEmails', code, state, account],
    async queryFn({ signal }): Promise<Email[]> {
      if (account === undefined) {
        const input = { code, limit: MOST_EMAILS, ...(state && { state }) };
        return (await untyped.query('customerEmails.listOfSupplier', input, { signal })) as Email[];
      }
      const one = { code, external_account_number: account };
      const emails = (await untyped.query('customerEmails.list', one, { signal })) as OutputOf<'customerEmails.list'>;
      return emails.filter((email) => email.state === (state ?? email.state)).map((email) => ({ ...email, ...one }));
    },
  });
}
