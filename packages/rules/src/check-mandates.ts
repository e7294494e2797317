import { type FieldError, LIMITS } from '@causeway/contracts';
import { DATE_IN_FUTURE, fieldsOf, listOf, type Problem } from './check-account.ts';
import { wholeNumbersIn } from './whole-account-numbers.ts';

const LONG_NUMBER = /\d{6}/;

const WHOLE_NUMBER: Problem = {
  detail:
    'Leave the number of the bank account out: it belongs to the payment vendor. Send its last four digits as account_number_last_four.',
  code: 'whole_account_number',
};

/**
 * The rules of mandates (behaviour 2.10.29) beside their schema: none has the whole number of a bank account, in whichever
 * field, and none was signed after today. They check the unvalidated payload, as `checkAccount` does.
 */
export function checkMandates(payload: unknown, { today }: { today: string }): FieldError[] {
  const schedules = listOf(fieldsOf(payload).payment_schedules, LIMITS.nested);
  return schedules.flatMap((schedule, index) => {
    const sent = fieldsOf(schedule).mandate;
    if (sent === undefined) return [];
    const mandate = fieldsOf(sent);
    const at = `payment_schedules.${index}.mandate`;
    const { account_holder: holder } = mandate;
    const isNumber = typeof holder === 'string' && holder.length <= LIMITS.billing_name && LONG_NUMBER.test(holder);
    const whole = new Set([...wholeNumbersIn(mandate), ...(isNumber ? ['account_holder'] : [])]);
    const errors: FieldError[] = [...whole].map((name) => ({ ...WHOLE_NUMBER, attr: `${at}.${name}` }));
    const { signed_on } = mandate;
    const isLater = typeof signed_on === 'string' && signed_on > today;
    return isLater ? [...errors, { ...DATE_IN_FUTURE, attr: `${at}.signed_on` }] : errors;
  });
}
