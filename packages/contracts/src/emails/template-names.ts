/** What templates can name (behaviour 29.4). Every name is always there: a text that is not known, or has a link, is empty. */
export const TEMPLATE_NAMES = {
  customer: ['name', 'title', 'given_name', 'family_name', 'salutation'],
  account: ['service_account_number', 'external_account_number', 'billing_name'],
  sender: ['name', 'address'],
} as const;
/** And a text that is in no group. */
export const UNSUBSCRIBE_NAME = 'unsubscribe_url';
