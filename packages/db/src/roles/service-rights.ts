/** What the service's role may do with a table whose rights are not written down below. */
export const USUAL_RIGHTS = ['SELECT', 'INSERT', 'UPDATE'] as const;

type Right = (typeof USUAL_RIGHTS)[number] | 'DELETE';

const ADD: readonly Right[] = ['SELECT', 'INSERT'];
const ADD_AND_REMOVE: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/**
 * What the service's role may do, table by table, and nothing else: it owns nothing and cannot change the schema. Nobody
 * removes what tells of an account, and an audit event is not even changed. Only what expires is removed.
 */
export const SERVICE_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  _prisma_migrations: ['SELECT'],
  organisations: ADD,
  operations_teams: ADD,
  service_secrets: ADD,
  import_suppliers: USUAL_RIGHTS,
  api_keys: USUAL_RIGHTS,
  account_imports: USUAL_RIGHTS,
  accounts: USUAL_RIGHTS,
  customers: ADD,
  supply_addresses: ADD,
  meter_points: ADD,
  payment_schedules: ADD,
  notes: ADD,
  transactions: ADD,
  statements: ADD,
  payment_instructions: ADD,
  audit_events: ADD,
  refresh_tokens: ADD_AND_REMOVE,
  rate_limits: ADD_AND_REMOVE,
  idempotency_keys: ADD_AND_REMOVE,
};
