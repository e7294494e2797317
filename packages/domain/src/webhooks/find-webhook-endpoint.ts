import type {
  ListWebhookEndpointsRequest,
  WebhookDisabledReason,
  WebhookEndpoint,
  WebhookEndpointRequest,
} from '@causeway/contracts';
import { fragment, narrow, type RowOf, selectList, sql } from '@causeway/db';
import { organisationOf } from '../organisations/organisations.ts';
import type { Context } from '../shared/context.ts';
import { withUtcDatetimes } from '../shared/dates.ts';
import { DomainError, invalidField } from '../shared/errors.ts';
import type { AddressRules } from './address-rules.ts';
import type { SecretBox } from './secret-box.ts';

const COLUMNS = {
  id: 'uuid',
  organisation_id: 'uuid',
  url: 'text',
  description: 'text',
  event_types: narrow<WebhookEndpoint['event_types']>('text[]'),
  import_suppliers: 'text[]',
  state: narrow<WebhookEndpoint['state']>('text'),
  disabled_reason: narrow<WebhookDisabledReason | null>('text | null'),
  disabled_at: 'timestamptz | null',
  failures: 'integer',
  failing_since: 'timestamptz | null',
  last_delivered_at: 'timestamptz | null',
  previous_secret_until: 'timestamptz | null',
  created_at: 'timestamptz',
  waiting: 'integer',
} as const;

const WAITING = `(
    SELECT count(*)::integer
    FROM webhook_deliveries
    WHERE webhook_endpoint_id = endpoint.id AND state = 'WAITING'
  )`;

const RECORD = fragment`
  SELECT ${selectList(COLUMNS, 'endpoint', { state: 'endpoint.state::text', waiting: WAITING })}
  FROM webhook_endpoints AS endpoint`;

const READ_WEBHOOK_ENDPOINT = sql('read-webhook-endpoint', COLUMNS)`${RECORD}
  WHERE id = ${'id'} AND deleted_at IS NULL`;
type WebhookEndpointRow = RowOf<typeof READ_WEBHOOK_ENDPOINT>;

const LIST_WEBHOOK_ENDPOINTS = sql('list-webhook-endpoints', COLUMNS)`${RECORD}
  WHERE organisation_id = ${'organisation_id'} AND deleted_at IS NULL
  ORDER BY id`;

/** What webhooks need beside the environment of all use cases. */
export interface WebhookSettings {
  addresses: AddressRules;
  secrets: SecretBox;
}

/** What one call about webhook endpoints needs. */
export interface WebhookContext extends Context {
  webhooks: WebhookSettings;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * An endpoint that the caller may see. Another organisation's, or a deleted one, gets the same answer as an id that was
 * never created (behaviour 28.1): `webhook_endpoint_does_not_exist`.
 */
export async function findWebhookEndpoint({ actor, database }: Context, id: string): Promise<WebhookEndpointRow> {
  const [found] = UUID.test(id) ? await database.query(READ_WEBHOOK_ENDPOINT, { id }) : [];
  if (found !== undefined && (actor.kind === 'staff' || actor.organisationId === found.organisation_id)) return found;
  throw noWebhookEndpoint('webhook_endpoint_id');
}

export function noWebhookEndpoint(attr: string): DomainError {
  return new DomainError('webhook_endpoint_does_not_exist', 'There is no webhook endpoint with this id.', { attr });
}

/** An endpoint as it is shown. */
export function webhookEndpointRecord(row: WebhookEndpointRow, now: Date): WebhookEndpoint {
  const { organisation_id: _organisation, ...record } = row;
  const until = row.previous_secret_until;
  return withUtcDatetimes({ ...record, previous_secret_until: until !== null && until > now ? until : null });
}

/**
 * Refuses with `request_failed_validation` if the organisation has no import supplier with one of the codes, which would
 * never have an event.
 */
export async function refuseOtherSuppliers(
  { database }: Context,
  { organisation_id, import_suppliers }: { organisation_id: string; import_suppliers: readonly string[] },
): Promise<void> {
  if (import_suppliers.length === 0) return;
  const found = await database.query(FIND_OWN_SUPPLIERS, { organisation_id, codes: [...import_suppliers] });
  const own = new Set(found.map(({ code }) => code));
  const index = import_suppliers.findIndex((code) => !own.has(code));
  if (index >= 0)
    throw invalidField(`import_suppliers.${index}`, 'The organisation has no import supplier with this code.');
}

const FIND_OWN_SUPPLIERS = sql('find-own-suppliers', { code: 'text' })`
  SELECT code
  FROM import_suppliers
  WHERE organisation_id = ${'organisation_id'} AND code = ANY (${'codes'}::text[])`;

/** What an endpoint names, each once, so that its order says nothing. */
export function sortedOnce<Name extends string>(names: readonly Name[]): Name[] {
  return [...new Set(names)].sort();
}

/** The endpoints of an organisation, oldest first (behaviour 28.1). Refuses as `organisationOf` does. */
export async function listWebhookEndpoints(
  context: Context,
  request: ListWebhookEndpointsRequest,
): Promise<WebhookEndpoint[]> {
  const organisation_id = await organisationOf(context, request);
  const rows = await context.database.query(LIST_WEBHOOK_ENDPOINTS, { organisation_id });
  return rows.map((row) => webhookEndpointRecord(row, context.clock()));
}

/** One endpoint (behaviour 28.1). Refuses with `webhook_endpoint_does_not_exist`. */
export async function getWebhookEndpoint(
  context: Context,
  { webhook_endpoint_id }: WebhookEndpointRequest,
): Promise<WebhookEndpoint> {
  return webhookEndpointRecord(await findWebhookEndpoint(context, webhook_endpoint_id), context.clock());
}
