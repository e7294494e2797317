import type { OutputOf } from '../../data/ask.ts';
import { isUnsettled, sentenceOf, textOf, whomOf } from '../../format/email-words.ts';
import { counted } from '../../format/numbers.ts';
import { capitalised, valueInWords, words } from '../../format/words.ts';
import type { AccountSearch } from './search.ts';

/** How the audit trail calls what was refused, behind the operation. */
const REFUSED_EVENT = /_(refused|failed)$/;

export type Entry = OutputOf<'accounts.timeline'>[number];

interface Field {
  attr: string;
  code: string;
}

interface What {
  title: string;
  detail: string;
  isRefusal: boolean;
  /** Refused, and not fixed since. */
  isOpen: boolean;
}

/**
 * What was refused of an account stands in its audit trail too. Both are one thing that happened: it is told once, by
 * the refusal, which says whether it was corrected, with the event, which says who did it.
 */
export function toldOnce(entries: readonly Entry[]): Entry[] {
  const keyOf = (operation: string, requestId: string) => `${operation} ${requestId}`;
  const refusals = new Set(
    entries.flatMap(({ refusal }) => (refusal ? [keyOf(refusal.operation, refusal.request_id)] : [])),
  );
  const keyOfEvent = ({ action, request_id }: NonNullable<Entry['event']>) =>
    keyOf(action.replace(REFUSED_EVENT, ''), request_id);
  const events = new Map(entries.flatMap(({ event }) => (event ? [[keyOfEvent(event), event] as const] : [])));
  return entries.flatMap((entry) => {
    const { event, refusal } = entry;
    if (event && REFUSED_EVENT.test(event.action) && refusals.has(keyOfEvent(event))) return [];
    const twin = refusal && events.get(keyOf(refusal.operation, refusal.request_id));
    return [twin && REFUSED_EVENT.test(twin.action) ? { ...entry, event: twin } : entry];
  });
}

/** What happened, in words. */
export function whatOf({ event, refusal, email }: Entry): What {
  if (email !== undefined) return whatOfEmail(email);
  if (refusal !== undefined) {
    const fields = refusal.errors.flatMap((field) => fieldOf(field, refusal.code));
    const often = refusal.times > 1 ? [counted(refusal.times, 'time')] : [];
    const fixed = refusal.resolved_at === null ? [] : ['succeeded since'];
    return {
      title: `${capitalised(words(refusal.operation))} ${refusal.refused ? 'refused' : 'reported'}: ${words(refusal.code)}`,
      detail: [...often, ...fields, ...fixed].join(', '),
      isRefusal: true,
      isOpen: refusal.resolved_at === null,
    };
  }
  const title = words(event?.action ?? '');
  const details = event?.detail ?? {};
  const detail = Object.entries(details).flatMap(([name, value]) => {
    if (Array.isArray(value) && value.every(isField)) return value.flatMap((field) => fieldOf(field, details.code));
    if (name === 'code') return words(String(value));
    return title.startsWith(`${words(name)} `) ? valueInWords(value) : `${nameOf(name)}: ${valueInWords(value)}`;
  });
  return {
    title: capitalised(title),
    detail: detail.join(', '),
    isRefusal: REFUSED_EVENT.test(event?.action ?? ''),
    isOpen: false,
  };
}

/** As the rest of the page calls it. */
function nameOf(detail: string): string {
  return detail === 'service_account_number' ? 'new number' : words(detail);
}

/** A field at fault, without the code that the title has said. */
function fieldOf({ attr, code }: Field, said: unknown): string[] {
  if (code === said) return attr === '' ? [] : [`field ${attr}`];
  return [attr === '' ? words(code) : `${attr}: ${words(code)}`];
}

function whatOfEmail(email: NonNullable<Entry['email']>): What {
  const isOpen = isUnsettled(email.state);
  const answer = email.answer === null ? '' : ` Mail server: ${email.answer}`;
  // Anyone who is told that it was sent knows what the mail server has answered.
  const detail = email.state === 'SENT' ? (textOf(email) ?? '') : sentenceOf(email) + answer;
  return { title: titleOfEmail(email), detail, isRefusal: isOpen, isOpen };
}

function titleOfEmail({ state, recipient }: NonNullable<Entry['email']>): string {
  const whom = whomOf(recipient);
  if (state === 'SENT') return `E-mail sent to ${whom}`;
  if (state === 'NOT_SENT') return `No e-mail to ${whom}`;
  return `E-mail to ${whom} ${words(state.toLowerCase())}`;
}

function isField(value: unknown): value is Field {
  return typeof value === 'object' && value !== null && 'attr' in value && 'code' in value;
}

/** Ids of the lines of a bulk job begin so. */
const OF_A_JOB = 'bulk:';

/** Who did it: the person, where the key names one. A refusal has no key, only its request: a bulk job's, or a call's. */
export function whoOf({ event, refusal, email }: Entry): string {
  if (email !== undefined) return 'service';
  if (event !== undefined) return event.person ?? (event.actor === 'staff' ? 'service team' : event.actor);
  return refusal?.request_id.startsWith(OF_A_JOB) ? 'a bulk job' : 'a single call';
}

/** Whether an entry is one of those that are asked for. */
export function matches(entry: Entry, { show, find }: AccountSearch): boolean {
  const { title, detail, isRefusal } = whatOf(entry);
  if (show !== undefined && isRefusal !== (show === 'refused')) return false;
  if (find === undefined) return true;
  const { event, refusal } = entry;
  const text = [
    title,
    detail,
    whoOf(entry),
    event?.request_id,
    event?.caller_request_id,
    refusal?.request_id,
    refusal?.code,
    event?.action,
  ];
  return text.join(' ').toLowerCase().includes(find.toLowerCase());
}
