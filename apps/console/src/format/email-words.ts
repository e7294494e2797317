import type { OutputOf } from '../data/ask.ts';
import { againAt } from './times.ts';

type CustomerEmail = OutputOf<'customerEmails.list'>[number];
type What = Pick<CustomerEmail, 'state' | 'reason' | 'answer' | 'attempts' | 'next_attempt_at'>;
/** Of an e-mail that was sent, or may have been. */
type Text = Pick<CustomerEmail, 'template_failure'>;

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

/** Whose address it is: `customers.0` as `the first customer`. */
export function whomOf(recipient: string): string {
  if (recipient === 'billing_email') return 'the billing address';
  const [, place] = /^customers\.(\d+)$/.exec(recipient) ?? [];
  if (place === undefined) return 'anybody';
  const ordinal = ORDINALS[Number(place)];
  return ordinal === undefined ? `customer ${Number(place) + 1}` : `the ${ordinal} customer`;
}

const REASONS: Record<NonNullable<CustomerEmail['reason']>, string> = {
  DECEASED: 'The customer has died.',
  UNKNOWN_OCCUPIER: 'Nobody knows who lives there.',
  PRINT: 'The customer wants letters.',
  NO_ADDRESS: 'No e-mail address is known.',
  SUPPRESSED: 'The address is on the suppression list.',
  ERASED: 'The personal data of the account was erased.',
  ACCOUNT_UNDONE: 'The account was undone.',
  NOT_TOLD_AGAIN: 'The undo of the account before said that its customers are not welcomed again.',
  MAILBOX_LIMIT: 'The mailbox has reached its limit of e-mails in 24 hours.',
};

/** What happened to an e-mail, in a sentence; a datetime in it is written as the service does. */
export function sentenceOf({ state, reason, answer, attempts, next_attempt_at }: What): string {
  switch (state) {
    case 'QUEUED':
      if (reason !== null) return `${REASONS[reason]} ${againAt(next_attempt_at)}`;
      return attempts === 0
        ? 'It waits for its turn.'
        : `The mail server deferred it${becauseOf(answer)}. ${againAt(next_attempt_at)}`;
    case 'SENDING':
      return 'It is being handed to the mail server.';
    case 'SENT':
      return 'The mail server took it.';
    case 'REFUSED':
      return `The mail server refused it${becauseOf(answer)}.`;
    case 'GIVEN_UP':
      return `The mail server deferred it ${attempts} times${becauseOf(answer)}. It will not be tried again.`;
    case 'IN_DOUBT':
      return 'The connection broke while it was handed over. Nobody knows whether it arrived.';
    case 'NOT_SENT':
      return reason === null ? 'It was not sent.' : REASONS[reason];
  }
}

const FAILURES: Record<NonNullable<CustomerEmail['template_failure']>, string> = {
  CANNOT_BE_RENDERED: 'fails for the values of this customer',
  TAKES_TOO_LONG: 'takes too long for this customer',
};

/** Why it has the text of the service, if the supplier has one of its own. */
export function textOf({ template_failure }: Text): string | undefined {
  if (template_failure === null) return undefined;
  return `It has the text of the service: the template ${FAILURES[template_failure]}.`;
}

/** What mail servers mean by their codes: RFC 3463, and RFC 5321 for those that have no others. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/^\d{3}[ -][45]\.1\.[1236]\b|^55[013](?![ -]\d\.\d)/, 'there is no such mailbox'],
  [/^\d{3}[ -][45]\.1\.10\b/, 'that domain takes no e-mail'],
  [/^\d{3}[ -][45]\.2\.1\b/, 'the mailbox is switched off'],
  [/^\d{3}[ -][45]\.2\.2\b|^[45]52(?![ -]\d\.\d)/, 'the mailbox is full'],
  [/^\d{3}[ -][45]\.(?:2\.3|3\.4)\b/, 'the e-mail is too large'],
  [/^\d{3}[ -][45]\.4\.\d/, 'the mail server of the address was not reached'],
  [/^\d{3}[ -][45]\.7\.\d/, 'its rules do not allow the e-mail'],
];

function becauseOf(answer: string | null): string {
  const cause = CAUSES.find(([pattern]) => pattern.test(answer ?? ''));
  return cause === undefined ? '' : `: ${cause[1]}`;
}

/** In doubt, refused or given up: somebody has to look at it. */
export function isUnsettled(state: CustomerEmail['state']): boolean {
  return state === 'REFUSED' || state === 'GIVEN_UP' || state === 'IN_DOUBT';
}
