import type { LineRefusal } from '@causeway/book';
import { DomainError } from '../../shared/errors.ts';
import { PausesJob, TriesLater } from './bulk-work.ts';

const stepOf = new WeakMap<DomainError, LineRefusal['step']>();

/** Notes in which step a refusal was. */
export async function inStep<T>(step: LineRefusal['step'], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) stepOf.set(error, step);
    throw error;
  }
}

/** The refusal of a line; throws if the job as a whole is refused, or if the same line may succeed later. */
export function refusalOfLine(error: DomainError): LineRefusal {
  switch (error.code) {
    case 'import_supplier_does_not_exist':
    case 'import_supplier_migration_not_ongoing':
      throw new PausesJob('import_supplier_not_ongoing', { cause: error });
    case 'operations_team_name_does_not_exist':
      throw new PausesJob('operations_team_gone', { cause: error });
    case 'concurrency_limit_exceeded':
    case 'payment_vendor_unavailable':
    case 'service_unavailable':
      throw new TriesLater(error.message, { cause: error });
    default:
      return refusalOf(error, stepOf.get(error));
  }
}

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
