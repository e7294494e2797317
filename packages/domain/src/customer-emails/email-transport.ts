/** A message as it goes to the mail server. */
export interface OutgoingEmail {
  id: string;
  /** `Northwind Energy <moving@northwind.example>`. */
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where customers say that they want no more e-mails. */
  unsubscribe: string | null;
}

/**
 * How the hand-over of a message ended.
 * - `sent`: the server has taken it
 * - `refused`: the server has refused it for good; `isNoMailbox`: because it does not know the address
 * - `put_off`: the server did not take it for now
 * - `unreachable`: there was no way to hand it over, whatever the message is
 * - `in_doubt`: the server may have taken it
 */
export type EmailOutcome =
  | { outcome: 'sent'; answer: string }
  | { outcome: 'refused'; answer: string; isNoMailbox: boolean }
  | { outcome: 'put_off'; answer: string }
  | { outcome: 'unreachable'; answer: string; cause: unknown }
  | { outcome: 'in_doubt'; answer: string };

/** Hands messages over, several at the same time. */
export interface EmailTransport {
  /** Never rejects, and answers in `sendTimeoutMs`. */
  send(email: OutgoingEmail): Promise<EmailOutcome>;
  close(): void;
}
