import { z } from 'zod';
import { field } from '../field.ts';

/** The account types that every import supplier may send; its setting `account_types` adds others. */
export const ACCOUNT_TYPES: readonly string[] = [
  ...['DOMESTIC', 'BUSINESS', 'MANAGED', 'PORTFOLIO_LEAD'],
  ...['BUSINESS_VACANT', 'DOMESTIC_VACANT', 'DOMESTIC_OCCUPIER', 'BUSINESS_OCCUPIER'],
];

const LIST = `${ACCOUNT_TYPES.slice(0, -1).join(', ')} or ${ACCOUNT_TYPES.at(-1)}`;

/** What is wrong with an account type that is not known. */
export const UNKNOWN_ACCOUNT_TYPE = {
  code: 'invalid_choice',
  detail: `Must be ${LIST}, or a further type that the service team configured for the import supplier.`,
} as const;

// What is no text is no known type either, as with any list of names.
const AccountType = z.core.$constructor<z.ZodString>('AccountType', (instance, definition) => {
  z.ZodString.init(instance, definition);
  const parseWithZod = instance._zod.parse;
  instance._zod.parse = (payload, context) => {
    const { value } = payload;
    if (typeof value === 'string' || value === null || value === undefined) return parseWithZod(payload, context);
    const { code, detail } = UNKNOWN_ACCOUNT_TYPE;
    payload.issues.push({ code: 'custom', message: detail, params: { code }, input: value, inst: instance });
    return payload;
  };
});
const FORM = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Any UPPER_SNAKE name; which of them are known depends on the import supplier (`packages/rules`). */
export const accountTypeField = field(
  new AccountType({ type: 'string' })
    .refine((value) => FORM.test(value), {
      error: UNKNOWN_ACCOUNT_TYPE.detail,
      params: { code: UNKNOWN_ACCOUNT_TYPE.code },
    })
    .meta({ pattern: FORM.source }),
  `${LIST}, or a further type that the service team configured for your import supplier.`,
  'DOMESTIC',
).default('DOMESTIC');
