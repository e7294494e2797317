import type { ExampleCall } from '@causeway/api/example-calls';
import type { Random } from '@causeway/testing';
import { allProcedureCalls, type Target, trpcRequest } from '../rig/operations.ts';
import type { Request } from '../rig/send.ts';
import type { Part, PublishedInterface, PublishedOperation } from './published-interface.ts';
import { drawValue, mutateText, mutateValue } from './values.ts';

/** The material of requests. */
export interface FuzzSite {
  published: PublishedInterface;
  /** Own accounts in every state, and one that does not exist. */
  accounts: readonly string[];
  supplier: Target;
  /** One of the supplier's tokens, sometimes one whose key the service does not remember. */
  token(): string;
  /** For staff procedures: they can break nothing that another request uses. */
  spare: Target;
  staffToken: string;
}

/** A request, with what is known about it in advance. */
export interface FuzzRequest extends Request {
  method: string;
  headers: Record<string, string>;
  body?: Buffer;
  /** Its documented operation; a tRPC procedure has none. */
  operation?: PublishedOperation;
  /** Why it must be refused, if so: not JSON, or not allowed by the document. */
  invalid: string | undefined;
}

/** Whether these bytes are a whole JSON text in UTF-8. */
export function isJson(bytes: Uint8Array): boolean {
  return parsedOf(bytes) !== undefined;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const NASTY_HEADERS: Record<string, string>[] = [
  {},
  { 'X-Request-Id': 'a b\tc' },
  { 'X-Request-Id': 'x'.repeat(500) },
  { 'Content-Type': 'text/plain' },
  { 'Content-Type': 'application/json; charset=latin1' },
  { 'Content-Encoding': 'gzip' },
  { Accept: 'text/html' },
  { 'Idempotency-Key': 'x'.repeat(256) },
  { 'Idempotency-Key': 'ä' },
  { 'Idempotency-Key': '' },
  { Authorization: 'Token' },
  { Authorization: 'Token x.y.z' },
  { Authorization: 'Basic dTpw' },
  { Expect: '100-continue' },
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const SEGMENTS = ['%', '%2e%2e', '%00', '%ff', 'a%2Fb', '..', '.', '', 'x'.repeat(2_000), '%F0%9F%8F%A0', "'", '{x}'];
const QUERIES = ['true', 'false', 'TRUE', '1', '', '0', '-1', '99999999999', 'x', '%', '%00', 'a&b', '[]'];

/** Any request: to REST, GraphQL or tRPC; half of the bodies follow the document, the rest are mutated. */
export function drawRequest(site: FuzzSite, random: Random): FuzzRequest {
  if (random.chance(0.25)) return drawTrpcRequest(site, random);
  const drawn = random.pick(site.published.operations);
  const place = drawPath(site, random, drawn.path);
  const operation = atPlace(site.published.operations, drawn.method, place) ?? drawn;
  const method = random.chance(0.03) ? random.pick(METHODS) : operation.method;
  const headers: Record<string, string> = { Authorization: `Token ${site.token()}` };
  if (random.chance(0.1)) headers['Idempotency-Key'] = `key-${random.integer(1, 30)}`;
  if (random.chance(0.05)) Object.assign(headers, random.pick(NASTY_HEADERS));
  const query = drawQuery(random, operation);
  const path = `${place}${query}`;
  const isOwn = method === operation.method;
  const invalidQuery = isOwn ? operation.problemsOfQuery(query)[0] : undefined;
  if (operation.schema === undefined) return { method, path, headers, operation, invalid: invalidQuery };
  const body = drawBody(site, random, operation);
  const invalid = isOwn ? (faultOf(operation, body) ?? invalidQuery) : undefined;
  return { method, path, headers: { ...JSON_TYPE, ...headers }, body, operation, invalid };
}

/** The path of one import supplier, without its code, is that of the list of them. */
function atPlace(operations: PublishedOperation[], method: string, place: string): PublishedOperation | undefined {
  return operations.find((each) => each.method === method && each.path === `${place.replace(/\/+$/, '')}/`);
}

function drawPath({ supplier, accounts }: FuzzSite, random: Random, path: string): string {
  const filled = path
    .replace('{import_supplier_code}', random.chance(0.1) ? random.pick(SEGMENTS) : supplier.code)
    .replace('{external_account_number}', random.chance(0.2) ? random.pick(SEGMENTS) : random.pick(accounts));
  return random.chance(0.1) ? filled.replace(/\/$/, '') : filled;
}

function drawQuery(random: Random, { queryParameters }: PublishedOperation): string {
  const given = [...queryParameters, 'nobody'].filter(() => random.chance(0.1));
  return given.length === 0 ? '' : `?${given.map((name) => `${name}=${random.pick(QUERIES)}`).join('&')}`;
}

function drawBody(site: FuzzSite, random: Random, operation: PublishedOperation): Buffer {
  const valid = ours(site, random, drawValue(site.published, random, operation.schema as Part));
  if (random.chance(0.5)) return bytesOf(valid);
  return random.chance(0.3) ? mutateText(random, JSON.stringify(valid)) : bytesOf(mutateValue(random, valid));
}

/** Replaces the accounts, team and vendor of the examples by existing ones, so that most requests get further. */
function ours({ supplier, accounts }: FuzzSite, random: Random, value: unknown): unknown {
  const known: Record<string, string> = {
    import_supplier: supplier.code,
    import_supplier_code: supplier.code,
    external_account_number: random.chance(0.2) ? `NEW-${random.integer(1, 1e6)}` : random.pick(accounts),
    operations_team_name: supplier.teamName,
    vendor: 'VENDOR',
  };
  const fields = Object.entries(Object(value) as Part);
  return Object.fromEntries(
    fields.map(([name, inner]) => [name, random.chance(0.97) ? (known[name] ?? inner) : inner]),
  );
}

function faultOf(operation: PublishedOperation, body: Buffer): string | undefined {
  const parsed = parsedOf(body);
  return parsed === undefined ? 'not JSON in UTF-8' : operation.problemsOfBody(parsed.value)[0];
}

function parsedOf(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) };
  } catch {
    return undefined;
  }
}

function drawTrpcRequest(site: FuzzSite, random: Random): FuzzRequest {
  const { supplier, spare, staffToken, published, accounts } = site;
  const isStaff = random.chance(0.5);
  const target = isStaff ? spare : { ...supplier, account: random.pick(accounts) };
  const call = random.pick(allProcedureCalls(target));
  const mutated = random.chance(0.5) ? call.input : mutateValue(random, call.input);
  // Node itself refuses an address of more than 16 kB.
  const isTooLong = call.kind === 'query' && encodeURIComponent(JSON.stringify(mutated).toWellFormed()).length > 8_000;
  const input = isTooLong ? call.input : mutated;
  const { method, path, body } = trpcRequest({ ...call, input });
  const documented = published.operations.find((operation) => hasSameInput(operation, call));
  const bytes = body === undefined ? undefined : random.chance(0.1) ? mutateText(random, body) : Buffer.from(body);
  return {
    method,
    path,
    headers: { ...JSON_TYPE, Authorization: `Token ${isStaff ? staffToken : site.token()}` },
    ...(bytes === undefined ? {} : { body: bytes }),
    invalid: documented !== undefined && bytes !== undefined ? faultOf(documented, bytes) : undefined,
  };
}

/** Whether the whole input of a procedure is the body of the operation: it obeys the same schema. */
function hasSameInput({ method, path }: PublishedOperation, { route }: ExampleCall): boolean {
  return (
    method === 'POST' &&
    path === route?.path &&
    method === route.method &&
    route.queryParameters.size === 0 &&
    !path.includes('{')
  );
}

/** JSON.stringify writes a lone surrogate as an escape, as a hostile client would. */
const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? 'null');
