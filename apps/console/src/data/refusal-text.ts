import { failureOf } from '@causeway/client';

/** What a failed call says to a person, in one or two sentences. */
export interface RefusalText {
  sentence: string;
  /** Each field at fault. */
  fields: { attr: string; detail: string }[];
  /** The service's code, to look up; absent if it did not answer. */
  code?: string;
  /** Nothing came from the service: it may be restarting, or this machine be offline. */
  isUnavailable: boolean;
}

/** Reads what went wrong from whatever a call threw. */
export function refusalText(error: unknown): RefusalText {
  const failure = failureOf(error);
  if (failure === undefined) return { sentence: String(error), fields: [], isUnavailable: false };
  if (failure.kind === 'unavailable') {
    const sentence = 'The service does not answer. It may have taken effect: look before you repeat it.';
    return { sentence, fields: [], isUnavailable: true };
  }
  if (failure.kind === 'key_refused') {
    return { sentence: 'You are logged out: your key is not valid any more.', fields: [], isUnavailable: false };
  }
  const fields = failure.errors.flatMap(({ attr, detail }) => (attr ? [{ attr, detail }] : []));
  return { sentence: failure.detail, fields, code: failure.code, isUnavailable: false };
}
