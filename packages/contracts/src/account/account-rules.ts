import type { Rule, Violation } from '../rules.ts';
import type { BillingAddress } from './address.ts';
import { legacyBillingFields } from './billing.ts';

interface Occupiers {
  unknown_occupier?: boolean | undefined;
  customers?: { user_identifier?: string | undefined }[] | undefined;
}

const customersUnlessOccupierIsUnknown: Rule<Occupiers> = {
  reads: ['unknown_occupier', 'customers'],
  check: ({ unknown_occupier, customers }) => {
    const path = ['customers'];
    if (unknown_occupier === true) {
      if (customers === undefined || customers.length === 0) return undefined;
      const detail = 'Must be left out if unknown_occupier is true.';
      return { code: 'customer_with_unknown_occupier', path, detail };
    }
    if (customers === undefined) {
      return { code: 'required', path, detail: 'This field is required unless unknown_occupier is true.' };
    }
    return customers.length > 0 ? undefined : { code: 'empty', path, detail: 'Must have at least one customer.' };
  },
};

const userIdentifiersAreUnique: Rule<Occupiers> = {
  reads: ['customers.*.user_identifier'],
  check: ({ customers }) => {
    if (customers === undefined || customers.length < 2) return undefined;
    const seen = new Set<string>();
    const violations: Violation[] = [];
    for (const [index, { user_identifier }] of customers.entries()) {
      if (user_identifier === undefined) continue;
      if (seen.has(user_identifier)) {
        const path = ['customers', index, 'user_identifier'];
        violations.push({ code: 'duplicate_user_identifier', path, detail: 'Must be unique within the payload.' });
      }
      seen.add(user_identifier);
    }
    return violations;
  },
};

type Billing = { billing_address?: BillingAddress | undefined } & {
  [Field in (typeof legacyBillingFields)[number]]?: string | undefined;
};

const oneStyleOfBillingAddress: Rule<Billing> = {
  reads: ['billing_address', ...legacyBillingFields],
  check: (billing) => {
    if (billing.billing_address === undefined) return undefined;
    if (legacyBillingFields.every((field) => billing[field] === undefined)) return undefined;
    return {
      code: 'billing_address_new_style_and_legacy',
      path: ['billing_address'],
      detail: 'Give either billing_address or billing_address1 to billing_address5 and billing_postcode, not both.',
    };
  },
};

/** The rules over several fields of an account (behaviour 2.10). */
export const accountRules = [
  customersUnlessOccupierIsUnknown,
  userIdentifiersAreUnique,
  oneStyleOfBillingAddress,
] as const;
