import { LIMITS } from '@causeway/contracts';
import type { EmailOutcome, Unheard } from './email-transport.ts';
import { HandOverFailure, LEAVING, type SmtpError } from './smtp-connection.ts';

/**
 * The server knows no such mailbox, by the codes of RFC 3463. A bare 550 says nothing of the address: a relay that does not
 * know us answers so too, and one that has us on a list of bad senders.
 */
const NO_MAILBOX = /^5\d\d[ -]5\.1\.(?:[1236]|10)\b/;

/**
 * What a failed hand-over means. Only an answer of the server to this message refuses it, or puts it off. Without such an
 * answer it is in doubt once its text was sent, whatever else the server says: it may have kept it. Before that, nothing
 * has happened.
 */
export function judgeFailure(error: unknown, to: string): EmailOutcome {
  if (!(error instanceof HandOverFailure)) return unheard('not_reached', error as SmtpError, to);
  const { cause, isHandedOver } = error;
  const { responseCode = 0, command } = cause;
  const answer = withoutAddress(cause.response ?? '', to);
  const isRefusal = responseCode >= 500 && responseCode < 600;
  const isPutOff = responseCode >= 400 && responseCode < 500;
  if (isHandedOver && !isRefusal && !isPutOff) return { outcome: 'in_doubt', answer };
  // What the server has against the sender is not the recipient's fault; with 421 it leaves, whatever it was asked.
  if (command === 'MAIL FROM' && (isRefusal || isPutOff) && responseCode !== LEAVING) {
    return unheard('sender_refused', cause, to);
  }
  // To the end of the text it is an answer to this message, even if the server leaves with it.
  const isOfMessage = isHandedOver || (command !== 'CONN' && responseCode !== LEAVING);
  if (isOfMessage && isRefusal) {
    return { outcome: 'refused', answer, isNoMailbox: command === 'RCPT TO' && NO_MAILBOX.test(answer) };
  }
  if (isOfMessage && isPutOff) return { outcome: 'put_off', answer };
  // Refused here, before the server was asked: such as an address in another script, which the server cannot take.
  if (responseCode === 0 && (cause.code === 'EENVELOPE' || cause.code === 'EMESSAGE')) {
    return {
      outcome: 'refused',
      answer: 'The mail server cannot take such an address or message.',
      isNoMailbox: false,
    };
  }
  return unheard('left', cause, to);
}

function unheard(why: Unheard['why'], cause: SmtpError, to: string): EmailOutcome {
  return { outcome: 'unheard', why, answer: withoutAddress(cause.response ?? '', to), cause: withoutWords(cause) };
}

const CODES = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/;
/** Whatever may be an address: it begins where a word does, so that a long line without one is read once. */
const ADDRESS = /(?:"[^"]*"|(?<![^\s<>()[\]",;:@])[^\s<>()[\]",;:@]+)@[^\s<>()[\]",;:]*/gu;
const STANDS_FOR_ADDRESS = '[address]';
const SHORTEST_LOCAL_PART = 3;

/**
 * What a server said, without addresses: servers repeat the one to which they refuse something, or its local part, and
 * name those that it is forwarded to. The reply codes and all other words stay: they say why.
 */
export function withoutAddress(words: string, address: string): string {
  const line = words.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const [codes = ''] = CODES.exec(line) ?? [];
  let rest = line.slice(codes.length).replaceAll(ADDRESS, STANDS_FOR_ADDRESS);
  const local = address.slice(0, address.lastIndexOf('@'));
  const [withoutTag = ''] = local.split('+');
  for (const name of [local, withoutTag]) {
    if (name.length >= SHORTEST_LOCAL_PART) rest = rest.replaceAll(wholeWord(name), STANDS_FOR_ADDRESS);
  }
  return [...codes, ...rest].slice(0, LIMITS.email_answer).join('');
}

function wholeWord(word: string): RegExp {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, 'giu');
}

/** For the log: the server's words may hold an address. */
function withoutWords({ code, command, responseCode }: SmtpError): Error {
  const facts = [command, responseCode, code].filter(Boolean).join(' ');
  return Object.assign(new Error(`The mail server did not listen: ${facts}`), { code });
}
