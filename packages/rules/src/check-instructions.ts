import { type FieldError, LIMITS, sentInstructions } from '@causeway/contracts';
import { fieldsOf, type Problem } from './check-account.ts';
import { wholeNumbersIn } from './whole-account-numbers.ts';

const WHOLE_NUMBER: Problem = {
  detail:
    'Leave the number of the bank account out: it belongs to the payment vendor, whose reference is all that is needed here. Send its last four digits in the mandate of a payment schedule.',
  code: 'whole_account_number',
};
const NOTHING_TO_SUPERSEDE: Problem = {
  detail:
    'Leave supersedes out: an account that is created has no active payment instruction yet. Send what is active now alone.',
  code: 'supersedes_no_active_instruction',
};

/** The rule of a payment instruction that is imported, beside its schema (behaviour 4.7.10). It checks the unvalidated request. */
export function checkInstruction(request: unknown): FieldError[] {
  // An account has its number already, whatever it looks like.
  const { external_account_number: _, ...fields } = fieldsOf(request);
  return wholeNumbersIn(fields)
    .slice(0, LIMITS.reported_errors)
    .map((attr) => ({ ...WHOLE_NUMBER, attr }));
}

/** The same of those that an account carries, of which none supersedes another one (behaviour 4.17.5). */
export function checkInstructionsOfAccount(payload: unknown): FieldError[] {
  return sentInstructions(fieldsOf(payload)).flatMap(({ path, sent }) => {
    const errors = checkInstruction(sent).map((error) => ({ ...error, attr: `${path}.${error.attr}` }));
    const supersedes = sent.supersedes === undefined ? [] : [{ ...NOTHING_TO_SUPERSEDE, attr: `${path}.supersedes` }];
    return [...errors, ...supersedes];
  });
}
