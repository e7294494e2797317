import { type OperationName, operationOn } from '../rig/operations.ts';
import type { Supplier } from '../rig/service-world.ts';
import { type HostileRequest, hammer, hold } from './hammer.ts';

/** What a hostile client knows: the service, and an organisation of its own with an imported account and a long list. */
export interface HostileSite {
  url: string;
  supplier: Supplier;
  account: string;
}

/** Does what it does until it is ended from outside. */
type HostileLoad = (site: HostileSite) => Promise<unknown>;

const GRAPHQL = '/v1/graphql/';
const VALIDATE = '/v1/data-import/validate-account/';
const LIST_LENGTH = 10_000;
/** As many calls as a batch may have. */
const LISTS_A_BATCH = 10;
const LARGEST_BODY_BYTES = 10 * 1024 * 1024;
/** Beyond what the service holds in all, if it holds what nobody has signed. */
const UNSIGNED = { connections: 4_400, bytes: 64_000 };

/** Every hostile load of the report's table, by its name there. */
export const HOSTILE_LOADS = {
  'introspection without a token': ({ url }) => {
    const body = JSON.stringify({ query: INTROSPECTION });
    return hammer({ url, connections: 40, request: () => ({ method: 'POST', path: GRAPHQL, body }) });
  },
  'batches of long lists over tRPC': ({ url, supplier }) => {
    const path = batchOfLists(supplier);
    return hammer({ url, connections: 4, request: () => ({ method: 'GET', path, token: supplier.token }) });
  },
  'long lists that nobody reads': ({ url, supplier }) => {
    const path = `/v1/data-import/all-account-import-processes/${supplier.code}/`;
    const head = (address: string) =>
      `GET ${address} HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${supplier.token}\r\n\r\n`;
    return Promise.all([
      hold({ url, connections: 50, beginning: head(path) }),
      hold({ url, connections: 12, beginning: head(batchOfLists(supplier)) }),
    ]);
  },
  'bodies of 10 MB': ({ url, supplier }) => {
    const body = JSON.stringify({ ...operationOn(supplier, 'BIG', 'stage').body, padding: '' });
    const whole = body.replace('""}', `"${'x'.repeat(LARGEST_BODY_BYTES - body.length)}"}`);
    return hammer({ url, connections: 8, request: () => post(supplier, VALIDATE, whole) });
  },
  'bodies of a million undocumented keys': ({ url, supplier }) => {
    const keys = Array.from({ length: 1_000_000 }, (_, key) => `"${key.toString(36)}":1`);
    const body = `{${keys.join(',')}}`;
    return hammer({ url, connections: 2, request: () => post(supplier, VALIDATE, body) });
  },
  '10,000 transactions a request': ({ url, supplier, account }) => {
    const { path, body } = operationOn(supplier, account, 'transactions');
    const [transaction] = body.transactions as Record<string, unknown>[];
    const transactions = Array.from({ length: LIST_LENGTH }, (_, id) => ({ ...transaction, transaction_id: `T${id}` }));
    const text = JSON.stringify({ ...body, transactions });
    const unchecked = `${path}?check_previously_added=false`;
    return hammer({ url, connections: 8, request: () => post(supplier, unchecked, text) });
  },
  'a vendor that never answers': ({ url, supplier, account }) => {
    const request = () => operation(supplier, account, 'instruction');
    return hammer({ url, connections: 200, request });
  },
  'wrong API keys behind the same address': ({ url }) => {
    const query = 'mutation ($key: String!) { obtainToken(input: { APIKey: $key }) { token } }';
    const request = (number: number): HostileRequest => {
      const body = JSON.stringify({ query, variables: { key: `wrong-key-${number}` } });
      return { method: 'POST', path: GRAPHQL, body };
    };
    return hammer({ url, connections: 4, localAddress: '127.0.0.1', request });
  },
  'slow bodies without a token': ({ url }) => {
    const head = `POST ${GRAPHQL} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
    const beginning = `${head}Content-Length: ${UNSIGNED.bytes + 1_000}\r\n\r\n${'x'.repeat(UNSIGNED.bytes)}`;
    return hold({ url, connections: UNSIGNED.connections, beginning, drip: 'x' });
  },
  'imports into one locked account': ({ url, supplier, account }) => {
    const request = () => operation(supplier, account, 'notes');
    return hammer({ url, connections: 60, request });
  },
  'many connections': ({ url }) =>
    hold({ url, connections: 8_000, beginning: 'GET /healthz HTTP/1.1\r\nX: ', drip: 'x' }),
} satisfies Record<string, HostileLoad>;

export type HostileLoadName = keyof typeof HOSTILE_LOADS;

function post({ token }: Supplier, path: string, body: string): HostileRequest {
  return { method: 'POST', path, token, body };
}

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

const TYPE = 'kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } }';
const VALUE = `name description type { ${TYPE} } defaultValue`;
const INTROSPECTION = `{ __schema { queryType { name } mutationType { name } directives { name description locations
  args { ${VALUE} } } types { kind name description fields(includeDeprecated: true) { name description isDeprecated
  args { ${VALUE} } type { ${TYPE} } } inputFields { ${VALUE} } interfaces { ${TYPE} } possibleTypes { ${TYPE} }
  enumValues(includeDeprecated: true) { name description isDeprecated } } } }`;
