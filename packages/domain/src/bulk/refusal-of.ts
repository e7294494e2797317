import type { LineRefusal } from '@causeway/book';
import type { DomainError } from '../errors.ts';

const HISTORY: Readonly<Record<string, LineRefusal['step']>> = {
  notes: 'notes',
  transactions: 'transactions',
  historical_transactions: 'transactions',
  ledgers: 'transactions',
  statements: 'statements',
  payment_instruction: 'payment_instruction',
  payment_instructions: 'payment_instruction',
};

/** A refusal as a line reports it: of the step that was taken, or of the part of the history that is at fault. */
export function refusalOf({ code, message: detail, errors }: DomainError, step?: LineRefusal['step']): LineRefusal {
  const [part = ''] = (errors[0]?.attr ?? '').split('.');
  return { step: step ?? HISTORY[part] ?? 'process', code, detail, errors };
}
