import { senderParts } from '@causeway/contracts';
import type { TemplateValues } from './email-texts.ts';
import { isAccountNumber, isCompanyName, isName } from './what-names-are.ts';

/** What is known of a recipient and the account; of the billing address there is no customer. */
export interface RecipientFacts {
  title: string | null;
  given_name: string | null;
  family_name: string | null;
  salutation: string | null;
  billing_name: string | null;
  service_account_number: string;
  external_account_number: string;
  email_sender: string | null;
  email_unsubscribe: string | null;
}

const nameIn = (text: string | null): string => (text !== null && isName(text) ? text : '');

/**
 * What templates can name (behaviour 29.4). A text of the account that is more than a name or a number is empty, like one that
 * is not known: what suppliers send is not ours to vouch for.
 */
export function templateValues(facts: RecipientFacts): TemplateValues {
  const { email_sender, email_unsubscribe, external_account_number } = facts;
  const [title, given_name, family_name] = [facts.title, facts.given_name, facts.family_name].map(nameIn);
  const { billing_name: company } = facts;
  const billing_name = company !== null && isCompanyName(company) ? company : '';
  const person = [given_name, family_name].filter(Boolean).join(' ');
  const { name: sender = '', address } = senderParts(email_sender ?? '');
  return {
    customer: {
      name: person === '' ? billing_name : person,
      title: title ?? '',
      given_name: given_name ?? '',
      family_name: family_name ?? '',
      salutation: nameIn(facts.salutation),
    },
    account: {
      service_account_number: facts.service_account_number,
      external_account_number: isAccountNumber(external_account_number) ? external_account_number : '',
      billing_name,
    },
    sender: { name: sender, address },
    unsubscribe_url: email_unsubscribe ?? '',
  };
}

/** An invented customer whose name must be escaped: what a preview shows, and what a template is tried with. */
export const SAMPLE_FACTS: Omit<RecipientFacts, 'email_sender' | 'email_unsubscribe'> = {
  title: 'Ms',
  given_name: 'Zoë',
  family_name: "O'Hartley & Sons",
  salutation: null,
  billing_name: "Zoë O'Hartley & Sons",
  service_account_number: 'A-7F3K9Q2M',
  external_account_number: 'NW-0001482',
};
