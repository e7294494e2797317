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
 * - `unheard`: the server never had its text, and has said nothing against it
 * - `in_doubt`: the server may have taken it
 */
export type EmailOutcome =
  | { outcome: 'sent'; answer: string }
  | { outcome: 'refused'; answer: string; isNoMailbox: boolean }
  | { outcome: 'put_off'; answer: string }
  | ({ outcome: 'unheard'; answer: string } & Unheard)
  | { outcome: 'in_doubt'; answer: string };

/**
 * Why the server did not listen.
 * - `not_reached`: there was no connection, or no login: that is so for every message
 * - `sender_refused`: it has something against the sender
 * - `left`: it left, or said nothing, before it had the text of this message
 */
export interface Unheard {
  why: 'not_reached' | 'sender_refused' | 'left';
  /** For the log. */
  cause: Error;
}

/** Hands messages over, several at the same time. */
export interface EmailTransport {
  /** Never rejects, and answers in `sendTimeoutMs`. */
  send(email: OutgoingEmail): Promise<EmailOutcome>;
  close(): void;
}
