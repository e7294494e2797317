import type { Event } from '@causeway/contracts';

const account = {
  import_supplier: 'NORTHWIND-2026',
  external_account_number: 'NW-0001482',
  link: '/v1/data-import/accounts/NORTHWIND-2026/NW-0001482/',
};
const created = { ...account, service_account_number: 'A-7K3M9QXT' };

const event = (id: string, type: string, data: object) =>
  ({ id: `evt_${id}`, type, timestamp: '2026-04-17T09:30:12Z', data }) as Event;

const story = [
  event('6f1d0c5be0a64b6f9c2e52b8d1b7a904', 'account.staged', {
    ...account,
    service_account_number: null,
    times_staged: 1,
  }),
  event('0b8f5a4e6d5c4e0fa2a5c61f0e7d9b13', 'account.created', created),
  event('c41e7d20a1b94d5f8a63d1f4be205577', 'account.completed', created),
  event('9a2f61c07b3e4c8db1f05e6a7d48c3e2', 'account.refused', {
    ...created,
    operation: 'transactions',
    code: 'request_failed_validation',
    errors: [{ code: 'invalid_date', attr: 'transactions.3.transaction_date' }],
  }),
];

/** By operationId. */
export const EVENT_EXAMPLES = {
  listEvents: {
    responses: {
      200: {
        account: {
          summary: 'One account, of which transactions were refused later',
          value: { events: story, next: '48217-9a2f61c0', has_more: false },
        },
        nothing: { summary: 'Nothing new', value: { events: [], next: '48217-9a2f61c0', has_more: false } },
      },
    },
  },
};
