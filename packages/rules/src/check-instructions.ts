import { type FieldError, sentHistory } from '@causeway/contracts';
import { fieldsOf, type Problem } from './check-account.ts';
import { wholeNumbersIn } from './whole-account-numbers.ts';

const WHOLE_NUMBER: Problem = {
  detail:
    'Leave the number of the bank account out: it belongs to the payment vendor, whose reference is all that is needed here. Send its last four digits in the mandate of a payment schedule.',
  code: 'whole_account_number',
};

/** The rule of a payment instruction that is imported, beside its schema (behaviour 4.7.10). It checks the unvalidated request. */
export function checkInstruction(request: unknown): FieldError[] {
  return wholeNumbersIn(fieldsOf(request)).map((attr) => ({ ...WHOLE_NUMBER, attr }));
}

/** The same of those that an account carries. */
export function checkInstructionsOfAccount(payload: unknown): FieldError[] {
  return sentHistory(payload).payment_instructions.flatMap(({ path, sent }) =>
    checkInstruction(sent).map((error) => ({ ...error, attr: `${path}.${error.attr}` })),
  );
}
