import { gzipSync } from 'node:zlib';
import { type OperationName, operationOn, UNCHECKED } from '../rig/operations.ts';
import { mustSend } from '../rig/send.ts';
import type { Supplier } from '../rig/service-world.ts';
import { type HostileRequest, hammer, hold, type Met } from './hammer.ts';

/** What a hostile client has: the service, and its own organisation with an imported account and a long list. */
export interface HostileSite {
  url: string;
  supplier: Supplier;
  account: string;
  /** Of the service team. */
  staffToken: string;
}

export interface HostileLoad {
  /** Runs until it is stopped. */
  begin(site: HostileSite, met: Met): Promise<unknown>;
  /** Whether the results show that the load reached the service: otherwise the run proves nothing. */
  felt(met: Met): boolean;
}

/** The n-th request of a load. */
type Requests = (number: number) => HostileRequest;

/** A load that sends requests on so many connections; `requests` prepares them. */
const hammering = (
  connections: number,
  requests: (site: HostileSite) => Requests | HostileRequest | Promise<Requests>,
  felt: HostileLoad['felt'],
): HostileLoad => ({
  async begin(site, met) {
    const prepared = await requests(site);
    const request = typeof prepared === 'function' ? prepared : () => prepared;
    return hammer({ url: site.url, connections, request }, met);
  },
  felt,
});

const GRAPHQL = '/v1/graphql/';
/** Allowed step by step, and a minute's work together. */
const ENDLESS_TEMPLATE = `{% assign x = "${'b,'.repeat(40_000)}" %}{% for i in (1..1000) %}{% for j in (1..1000) %}{% if x contains 'zz' %}x{% endif %}{% endfor %}{% endfor %}`;
const VALIDATE = '/v1/data-import/validate-account/';
const STAGE = '/v1/data-import/account-import-process/create-or-update/';
const JOBS = '/v1/data-import/bulk-jobs/';
const LIST_LENGTH = 10_000;
const LARGE_NOTE_CHARACTERS = 650;
const PART_LINES = [
  { lines: 16, bytes: 1_900_000 },
  { lines: 9_000, bytes: 3_600 },
];
/** As many calls as a batch may have. */
const LISTS_A_BATCH = 10;
const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Far more than the service holds of callers without a token, in bodies that ObtainToken accepts by their length. */
const UNSIGNED = { connections: 4_400, bytes: 39_000 };
/** As many calls as an organisation may have in flight to a vendor. */
const ASKED_AT_ONCE = 100;
/** The other answers allowed for a client that sends too much. */
const REFUSALS = [429, 503];

/** Every hostile load of the report's table, by its name there. */
export const HOSTILE_LOADS = {
  'introspection without a token': hammering(
    40,
    () => ({ method: 'POST', path: GRAPHQL, body: JSON.stringify({ query: INTROSPECTION }) }),
    answered(200),
  ),
  'batches of long lists over tRPC': hammering(
    4,
    ({ supplier }) => get(supplier, batchOfLists(supplier)),
    answered(200, 207),
  ),
  'long lists that nobody reads': {
    begin({ url, supplier }, met) {
      const path = `/v1/data-import/all-account-import-processes/${supplier.code}/`;
      const head = (address: string) =>
        `GET ${address} HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${supplier.token}\r\n\r\n`;
      return Promise.all([
        hold({ url, connections: 50, beginning: head(path) }, met),
        hold({ url, connections: 12, beginning: head(batchOfLists(supplier)) }, met),
      ]);
    },
    felt: answered(200, 207),
  },
  'bodies of 10 MB': hammering(
    8,
    ({ supplier }) => {
      const body = JSON.stringify({ ...operationOn(supplier, 'BIG', 'stage').body, padding: '' });
      const whole = body.replace('""}', `"${'x'.repeat(MAX_BODY_BYTES - Buffer.byteLength(body))}"}`);
      return post(supplier, VALIDATE, whole);
    },
    answered(200),
  ),
  'bodies of a million undocumented keys': hammering(
    2,
    ({ supplier }) => {
      const keys = Array.from({ length: 1_000_000 }, (_, key) => `"${key.toString(36)}":1`);
      return post(supplier, VALIDATE, `{${keys.join(',')}}`);
    },
    // Too many values: it is refused once its bytes have arrived and were checked.
    answered(400),
  ),
  '10,000 transactions a request': hammering(
    8,
    ({ supplier, account }) => {
      const { path, body } = operationOn(supplier, account, 'transactions');
      return post(supplier, path + UNCHECKED, JSON.stringify({ ...body, transactions: manyTransactions(supplier) }));
    },
    answered(201),
  ),
  'accounts of 8 MB staged': hammering(
    12,
    ({ supplier }) => post(supplier, STAGE, largeAccount(supplier)),
    answered(200, 201),
  ),
  'accounts of 8 MB read': hammering(
    12,
    async ({ url, supplier }) => {
      await mustSend(url, post(supplier, STAGE, largeAccount(supplier)));
      return () => get(supplier, `/v1/data-import/accounts/${supplier.code}/LARGE/`);
    },
    answered(200),
  ),
  'parts that are large when they are unpacked': hammering(
    8,
    async ({ url, supplier }) => {
      const job = { import_supplier: supplier.code, kind: 'STAGE', options: {} };
      const created = await mustSend(url, post(supplier, JOBS, JSON.stringify(job)));
      const { id } = created as { id: string };
      const part = { method: 'PUT' as const, token: supplier.token, type: 'application/x-ndjson', body: packedPart() };
      // Each has a number of its own, and is stored.
      return (number) => ({ ...part, path: `${JOBS}${id}/parts/${number}/` });
    },
    answered(201),
  ),
  'previews of templates that never end': hammering(
    4,
    ({ supplier: { code }, staffToken: token }) => {
      const body = JSON.stringify({ code, language: 'en', subject: 'x', text: 'x', html: ENDLESS_TEMPLATE });
      return { method: 'POST', path: '/trpc/emailTemplates.preview', token, body };
    },
    answered(400),
  ),
  'a vendor that never answers': hammering(
    2 * ASKED_AT_ONCE,
    ({ supplier, account }) => operation(supplier, account, 'instruction'),
    // In the short form, more than may be at work: waiting for a vendor holds no place.
    hangs(ASKED_AT_ONCE, 500),
  ),
  'wrong API keys behind the same address': {
    begin({ url }, met) {
      const query = 'mutation ($key: String!) { obtainToken(input: { APIKey: $key }) { token } }';
      const request = (number: number): HostileRequest => {
        const body = JSON.stringify({ query, variables: { key: `wrong-key-${number}` } });
        return { method: 'POST', path: GRAPHQL, body };
      };
      return hammer({ url, connections: 4, localAddress: '127.0.0.1', request }, met);
    },
    felt: answered(200),
  },
  'slow bodies without a token': {
    begin({ url }, met) {
      const head = `POST ${GRAPHQL} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
      const beginning = `${head}Content-Length: ${UNSIGNED.bytes + 1_000}\r\n\r\n${'x'.repeat(UNSIGNED.bytes)}`;
      return hold({ url, connections: UNSIGNED.connections, beginning, drip: 'x' }, met);
    },
    felt: held(100, 408),
  },
  'imports into one locked account': hammering(
    60,
    ({ supplier, account }) => operation(supplier, account, 'notes'),
    hangs(1),
  ),
  'many connections': {
    begin: ({ url }, met) =>
      hold({ url, connections: 8_000, beginning: 'GET /healthz HTTP/1.1\r\nX: ', drip: 'x' }, met),
    felt: held(1_000, 408),
  },
} satisfies Record<string, HostileLoad>;

export type HostileLoadName = keyof typeof HOSTILE_LOADS;

/** At least one request got this status, and none got another. */
function answered(...statuses: number[]): HostileLoad['felt'] {
  return (met) => statuses.some((status) => status in met.statuses) && answeredOnly(statuses, met);
}

/** This many requests hang concurrently; all answers, if any, had this status. */
function hangs(requests: number, ...statuses: number[]): HostileLoad['felt'] {
  return (met) => met.hanging >= requests && answeredOnly(statuses, met);
}

/** This many connections are open concurrently; all answers, if any, had this status. */
function held(connections: number, ...statuses: number[]): HostileLoad['felt'] {
  return (met) => met.open >= connections && answeredOnly(statuses, met);
}

/** This status, or a refusal because of overload. */
function answeredOnly(allowed: readonly number[], { statuses }: Met): boolean {
  return Object.keys(statuses).every((status) => [...allowed, ...REFUSALS].includes(Number(status)));
}

function post({ token }: Supplier, path: string, body: string): HostileRequest {
  return { method: 'POST', path, token, body };
}

const get = ({ token }: Supplier, path: string): HostileRequest => ({ method: 'GET', path, token });

function operation(supplier: Supplier, account: string, name: OperationName): HostileRequest {
  const { path, body } = operationOn(supplier, account, name);
  return post(supplier, path, JSON.stringify(body));
}

function batchOfLists({ code }: Supplier): string {
  const procedures = Array(LISTS_A_BATCH).fill('dataImport.listAccountImports').join(',');
  const input = { import_supplier_code: code, limit: LIST_LENGTH };
  const inputs = Object.fromEntries(Array.from({ length: LISTS_A_BATCH }, (_, number) => [number, input]));
  return `/trpc/${procedures}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
}

/** An account with as many transactions as one may have: 8 MB. */
function largeAccount(supplier: Supplier): string {
  const note = 'n'.repeat(LARGE_NOTE_CHARACTERS);
  const transactions = manyTransactions(supplier).map((transaction) => ({ ...transaction, note }));
  return JSON.stringify({ ...operationOn(supplier, 'LARGE', 'stage').body, transactions });
}

function manyTransactions(supplier: Supplier): object[] {
  const [transaction] = operationOn(supplier, 'LARGE', 'transactions').body.transactions as object[];
  return Array.from({ length: LIST_LENGTH }, (_, id) => ({ ...transaction, transaction_id: `T${id}` }));
}

/** Nearly as many bytes as a part may have, in long lines and in short ones: 60 kB of gzip. */
function packedPart(): Uint8Array {
  const line = (bytes: number) => `{"external_account_number":"A","x":[${'0,'.repeat(bytes / 2)}0]}\n`;
  const [long, short] = PART_LINES.map(({ bytes, lines }) => line(bytes).repeat(lines));
  return gzipSync(`${long}${short}`);
}

/** graphql-js's message: a document with more tokens is not even parsed. */
const TYPES = `${'ofType{name kind '.repeat(8)}ofType{name kind${'}'.repeat(9)}`;
const INTROSPECTION = `query IntrospectionQuery{__schema{queryType{name kind}mutationType{name kind}
  subscriptionType{name kind}types{...FullType}directives{name description locations args{...InputValue}}}}
fragment FullType on __Type{kind name description fields(includeDeprecated:true){name description args{...InputValue}
  type{...TypeRef}isDeprecated deprecationReason}inputFields{...InputValue}interfaces{...TypeRef}
  enumValues(includeDeprecated:true){name description isDeprecated deprecationReason}possibleTypes{...TypeRef}}
fragment InputValue on __InputValue{name description type{...TypeRef}defaultValue}
fragment TypeRef on __Type{kind name ${TYPES}}`;
