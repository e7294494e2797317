import { senderParts, type TEMPLATE_NAMES, type UNSUBSCRIBE_NAME } from '@causeway/contracts';

/** The texts of an e-mail: as templates, or rendered. */
export interface EmailTexts {
  subject: string;
  text: string;
  html: string;
}

export const TEXT_NAMES = ['subject', 'text', 'html'] as const;
export type TextName = (typeof TEXT_NAMES)[number];

/** Why a text cannot be rendered. */
export interface TextFault {
  attr: TextName;
  /** For the author of the template; it may hold values. */
  detail: string;
}

type Names = typeof TEMPLATE_NAMES;
/** What templates can name, with its values. */
export type TemplateValues = { [Group in keyof Names]: Record<Names[Group][number], string> } & Record<
  typeof UNSUBSCRIBE_NAME,
  string
>;

/** What is known of a recipient and the account; of the billing address there is no customer. */
export interface RecipientFacts {
  title: string | null;
  given_name: string | null;
  family_name: string | null;
  salutation: string | null;
  billing_name: string | null;
  /** Of the recipient, otherwise of the bills, otherwise of the account's business. */
  company_name: string | null;
  service_account_number: string;
  external_account_number: string;
  email_sender: string | null;
  email_unsubscribe: string | null;
}

const nameIn = (text: string | null): string => (text !== null && isName(text) ? text : '');
const companyNameIn = (text: string | null): string => (text !== null && isCompanyName(text) ? text : '');

/**
 * What templates can name (behaviour 29.4). A text of the account that is more than a name or a number is empty, like one that
 * is not known: what suppliers send is not ours to vouch for.
 */
export function templateValues(facts: RecipientFacts): TemplateValues {
  const { email_sender, email_unsubscribe, external_account_number } = facts;
  const [title, given_name, family_name] = [facts.title, facts.given_name, facts.family_name].map(nameIn);
  const [billing_name = '', company_name = ''] = [facts.billing_name, facts.company_name].map(companyNameIn);
  const person = [given_name, family_name].filter(Boolean).join(' ');
  const { name: sender = '', address } = senderParts(email_sender ?? '');
  return {
    customer: {
      name: person || company_name,
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
  company_name: "Zoë O'Hartley & Sons",
  service_account_number: 'A-7F3K9Q2M',
  external_account_number: 'NW-0001482',
};

/** Letters, and what stands between them in names. After a point comes a space, or in `J.R. Smith` the next initial. */
const NAME =
  /^(?:[\p{L}\p{M}\s'‘’“”·&,()/+!-]|(?<=[\p{L}\p{M})])\.(?=$|[\s,)-])|(?<=(?:^|[^\p{L}\p{M}])\p{L})\.(?=\p{L}\.))*$/u;
/** Longer ones are sentences. */
const MOST_CHARACTERS = 60;
/** In the name of a company: `Studio 54`, and no telephone number. */
const DIGITS = /\d/g;
const MOST_DIGITS = 4;
/** Words with a digit each, or one after a short prefix, and points only before digits: no sentence and no host. */
const NUMBER_WORD = String.raw`(?=\S*\d)(?:[\p{L}\p{M}\p{N}_/()-]|\.(?=\d))+`;
const NUMBER = new RegExp(`^(?:(?:\\p{L}{1,3} )?${NUMBER_WORD}|(?:${NUMBER_WORD}(?: |$))+)$`, 'u');
const IP_ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}/;
const INVISIBLE = /\p{Cf}/gu;

const read = (text: string) => text.replaceAll(INVISIBLE, '').normalize('NFKC');

/**
 * Whether a text is nothing but a name: no address, no link, no telephone number. Anyone who gets an e-mail with one of those
 * would believe that we say so, and what looks like one differs from one mail program to the next: so a name is described here,
 * and not a link.
 */
export function isName(text: string): boolean {
  const plain = read(text);
  return plain.length <= MOST_CHARACTERS && NAME.test(plain);
}

/** Whether a text is the name of a person or of a company, which may have a few digits. */
export function isCompanyName(text: string): boolean {
  const plain = read(text);
  return (plain.match(DIGITS) ?? []).length <= MOST_DIGITS && isName(plain.replaceAll(DIGITS, ''));
}

/** Whether a text is nothing but a number of an account: no sentence, no link, no address. */
export function isAccountNumber(text: string): boolean {
  const plain = read(text);
  return NUMBER.test(plain) && !IP_ADDRESS.test(plain);
}
