import type { OutputOf } from '../../data/ask.ts';
import { isUnsettled, sentenceOf, whomOf } from '../../format/email-words.ts';
import { counted } from '../../format/numbers.ts';
import { valueInWords, words } from '../../format/words.ts';
import type { AccountSearch } from './route.ts';

export type Entry = OutputOf<'accounts.timeline'>[number];

interface Field {
  attr: string;
  code: string;
}

interface What {
  title: string;
  detail: string;
  isRefusal: boolean;
  /** Refused, and not mended since. */
  isOpen: boolean;
}

/** What happened, in words. */
export function whatOf({ event, refusal, email }: Entry): What {
  if (email !== undefined) return whatOfEmail(email);
  if (refusal !== undefined) {
    const fields = refusal.errors.flatMap((field) => fieldOf(field, refusal.code));
    const mended = refusal.resolved_at === null ? [] : ['succeeded since'];
    return {
      title: `${words(refusal.operation)} ${refusal.refused ? 'refused' : 'reported'}: ${words(refusal.code)}`,
      detail: [counted(refusal.times, 'time'), ...fields, ...mended].join(', '),
      isRefusal: true,
      isOpen: refusal.resolved_at === null,
    };
  }
  const title = words(event?.action ?? '');
  const details = event?.detail ?? {};
  const detail = Object.entries(details).flatMap(([name, value]) => {
    if (Array.isArray(value) && value.every(isField)) return value.flatMap((field) => fieldOf(field, details.code));
    return title.startsWith(`${words(name)} `) ? valueInWords(value) : `${words(name)}: ${valueInWords(value)}`;
  });
  return {
    title,
    detail: detail.join(', '),
    isRefusal: isRefusedEvent(event?.action),
    isOpen: false,
  };
}

/** A field at fault, without the code that the title has said. */
function fieldOf({ attr, code }: Field, said: unknown): string[] {
  if (code === said) return attr === '' ? [] : [attr];
  return [attr === '' ? words(code) : `${attr}: ${words(code)}`];
}

function whatOfEmail(email: NonNullable<Entry['email']>): What {
  const isOpen = isUnsettled(email.state);
  const sentence = email.state === 'SENT' ? '' : `${sentenceOf(email)} `;
  const answer = email.answer === null ? '' : `Mail server: ${email.answer}`;
  return { title: titleOfEmail(email), detail: sentence + answer, isRefusal: isOpen, isOpen };
}

function titleOfEmail({ state, recipient }: NonNullable<Entry['email']>): string {
  const whom = whomOf(recipient);
  if (state === 'SENT') return `E-mail sent to ${whom}`;
  if (state === 'NOT_SENT') return `No e-mail to ${whom}`;
  return `E-mail to ${whom} ${words(state.toLowerCase())}`;
}

function isRefusedEvent(action = ''): boolean {
  return action.endsWith('_refused') || action.endsWith('_failed');
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
  return refusal?.request_id.startsWith(OF_A_JOB) ? 'a bulk job' : 'a call';
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
