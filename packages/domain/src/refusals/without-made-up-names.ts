import { MASK } from '@causeway/contracts';
import { documentedPart, isMadeUp } from './refused-fields.ts';

interface Refused {
  detail?: unknown;
  errors?: readonly { attr: string; detail?: string }[] | undefined;
}

/**
 * A refusal whose errors name no undocumented fields, nor do its sentences: senders may have written names of people there
 * (behaviour 14.3.5).
 */
export function withoutMadeUpNames<Record extends Refused>(refused: Record): Record {
  const { errors = [], detail } = refused;
  if (!errors.some(({ attr }) => isMadeUp(attr))) return refused;
  return {
    ...refused,
    ...(typeof detail === 'string' && { detail: MASK }),
    errors: errors.map((error) => {
      const { attr, detail: sentence } = error;
      if (!isMadeUp(attr)) return error;
      return { ...error, attr: documentedPart(attr), ...(sentence !== undefined && { detail: MASK }) };
    }),
  };
}
