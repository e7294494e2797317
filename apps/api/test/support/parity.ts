import { expect } from 'vitest';
import { appRouter } from '../../src/procedures/router.ts';
import { type Route, routesOf } from '../../src/rest/routes.ts';
import type { RestAnswer, TestSupplier } from './test-service.ts';

type Input = Record<string, unknown>;

/** What one door answered; which success it was, 200 or 201, only REST says. */
interface Answer {
  status: number | 'success';
  body: unknown;
  undocumented: string | null;
}

/**
 * Calls a data-import procedure over REST and over tRPC (those of `dataImport` without it) and expects one answer: the body of a success or of an error,
 * its status and the undocumented fields. Answers with what REST said, for the test to look into.
 *
 * A call that changes something takes `twins`, the external account numbers of two accounts in the same state, one for
 * each door; their names and the numbers they were given do not count as a difference.
 */
export async function sameOverTrpc(
  supplier: TestSupplier,
  procedure: string,
  { twins, ...call }: { input: Input; twins?: readonly [string, string] },
): Promise<RestAnswer> {
  const inputOf = (twin?: string) =>
    twin === undefined ? call.input : { ...call.input, external_account_number: twin };
  const name = procedure.includes('.') ? procedure : `dataImport.${procedure}`;
  const route = routesOf(appRouter).find(({ procedurePath }) => procedurePath === name);
  if (route === undefined) {
    throw new Error(`No REST route leads to ${procedure}`);
  }
  const overRest = await callRest(supplier, route, inputOf(twins?.[0]));
  const { headers: _, ...overTrpc } = await callTrpc(supplier, route, inputOf(twins?.[1]));
  const { status, body, headers } = overRest;
  const seen: Answer = {
    status: status < 400 ? 'success' : status,
    body,
    undocumented: headers.get('undocumented-fields'),
  };
  expect(comparable(overTrpc, twins?.[1])).toEqual(comparable(seen, twins?.[0]));
  return overRest;
}

async function callRest(supplier: TestSupplier, { method, path, queryParameters }: Route, input: Input) {
  const rest = { ...input };
  const query = new URLSearchParams();
  for (const name of queryParameters.keys()) {
    if (rest[name] !== undefined) query.set(name, String(rest[name]));
    delete rest[name];
  }
  const filled = path.replace('/v1/data-import/', '').replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]));
    delete rest[name];
    return value;
  });
  const target = query.size === 0 ? filled : `${filled}?${query}`;
  return method === 'GET' ? supplier.get(target) : supplier.post(target, rest);
}

type TrpcBody =
  | { result: { data: Answer['body'] }; error?: undefined }
  | { error: { data: { httpStatus: number; error: Answer['body'] } } };

/** Calls a procedure over tRPC, with its headers. */
export async function callTrpc(
  { url, token }: TestSupplier,
  route: Pick<Route, 'method' | 'procedurePath'>,
  input: Input,
): Promise<Answer & { headers: Headers }> {
  const address = `${url}/trpc/${route.procedurePath}`;
  const authorization = { Authorization: `Token ${token}` };
  const json = JSON.stringify(input);
  const response =
    route.method === 'GET'
      ? await fetch(`${address}?input=${encodeURIComponent(json)}`, { headers: authorization })
      : await fetch(address, {
          method: 'POST',
          body: json,
          headers: { ...authorization, 'Content-Type': 'application/json' },
        });
  const body = (await response.json()) as TrpcBody;
  const { headers } = response;
  const undocumented = headers.get('undocumented-fields');
  return body.error === undefined
    ? { status: 'success', body: body.result.data, undocumented, headers }
    : { status: body.error.data.httpStatus, body: body.error.data.error, undocumented, headers };
}

const SERVICE_ACCOUNT_NUMBER = /"A-[0-9A-Z]{8}"/g;
/** Each account of a supplier has meter points of its own. */
const METER_POINT = /"12\d{11}"/g;

function comparable({ body, ...answer }: Answer, twin: string | undefined) {
  const text = JSON.stringify(body) ?? '';
  if (twin === undefined) {
    return { ...answer, body };
  }
  return {
    ...answer,
    text: text
      .replaceAll(JSON.stringify(twin), '"<twin>"')
      .replaceAll(SERVICE_ACCOUNT_NUMBER, '"<number>"')
      .replaceAll(METER_POINT, '"<meter point>"'),
  };
}
