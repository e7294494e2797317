import { obtainTokens } from '@causeway/rest-client';
import { drawRequest, type FuzzRequest, type FuzzSite, isJson } from '../fuzz/draw-request.ts';
import { readInterface } from '../fuzz/published-interface.ts';
import { knownInstruction, performSteps, type Target } from '../rig/operations.ts';
import { type Answer, fieldOf, nameOf, send } from '../rig/send.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { exactly, isSo, listed, none, type Outcome, type Scenario, within } from '../scenario.ts';

const AT_ONCE = 8;
const ANSWER_WITHIN_MS = 5_000;
/** Then the key changes: the service has to look up one that it has not seen recently, before it reads the body. */
const REQUESTS_PER_KEY = 20;
const MAX_KEYS = 250;

/** Requests generated from the published document, valid and mutated, to every operation, procedure and GraphQL. */
export const refuseNonsense: Scenario = {
  row: 7,
  title: 'fuzzed requests made from the OpenAPI document',
  unit: 'requests',
  full: 100_000,
  short: 400,
  async run(requests, random): Promise<Outcome> {
    // Otherwise the limits of ObtainToken would refuse most GraphQL requests.
    const limits = ['FAILURES_PER_ADDRESS', 'FAILURES_PER_KEY', 'CALLS_PER_ADDRESS', 'CALLS_PER_KEY'];
    const names = [...limits.map((limit) => `OBTAIN_TOKEN_${limit}`), 'GRAPHQL_QUERIES_PER_ADDRESS'];
    const variables = Object.fromEntries(names.map((name) => [name, '1000000']));
    await using world = await startWorld({ variables });
    // It knows every reference, so that instructions are accepted too.
    world.vendor.behave({ kind: 'answer', body: (reference: string) => knownInstruction(reference).body });
    const site = await prepareSite(world, Math.min(MAX_KEYS, Math.ceil(requests / REQUESTS_PER_KEY)));
    const found: Findings = {
      ...{ statuses: {}, slowestMs: 0, invalid: 0 },
      ...{ undocumented: [], failures: [], acceptedInvalid: [], brokenOnTheWay: [] },
    };
    let left = requests;
    const work = async () => {
      while (left > 0) {
        left -= 1;
        const request = drawRequest(site, random);
        const startedAt = performance.now();
        const answer = await send(world.url(), { ...request, travel: random });
        found.slowestMs = Math.max(found.slowestMs, performance.now() - startedAt);
        judge(site, found, { request, answer });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const accepted = (found.statuses['200'] ?? 0) + (found.statuses['201'] ?? 0);
    return {
      figures: `${requests} requests, ${found.invalid} invalid by the document; ${listed(found.statuses)}; slowest ${Math.round(found.slowestMs)} ms`,
      claims: [
        ...none({
          'an answer with an undocumented status, field, code or header, or none': found.undocumented,
          'a 5xx other than the documented vendor 500': found.failures,
          'something invalid accepted': found.acceptedInvalid,
          'a body that is JSON refused as if it were none': found.brokenOnTheWay,
        }),
        isSo('a tenth and more of the requests were accepted', accepted * 10 >= requests),
        exactly('the process has ended', String(world.instances[0]?.process.exited), 'false'),
        within('every answer', found.slowestMs, ANSWER_WITHIN_MS),
      ],
    };
  },
};

interface Findings {
  statuses: Record<string, number>;
  undocumented: unknown[];
  failures: unknown[];
  acceptedInvalid: unknown[];
  brokenOnTheWay: unknown[];
  slowestMs: number;
  invalid: number;
}

async function prepareSite(world: World, keys: number): Promise<FuzzSite> {
  const supplier = await world.createSupplier();
  const spare = await world.createSupplier();
  const accounts = ['IMPORTED-1', 'IMPORTED-2', 'IMPORTED-3', 'STAGED', 'ABSENT'];
  for (const account of accounts.filter((name) => name !== 'ABSENT')) {
    const steps = account === 'STAGED' ? (['stage'] as const) : (['stage', 'process'] as const);
    await performSteps(world, supplier, account, steps);
  }
  const { token: staffToken } = await obtainTokens(world.url(), { apiKey: world.staffApiKey });
  const published = await readInterface(world.url());
  return {
    published,
    accounts,
    token: await takeTurns(world, supplier, keys),
    supplier: await targetOf(world, supplier),
    spare: await targetOf(world, spare),
    staffToken,
  };
}

/** Tokens of this many of the supplier's keys, each for a number of calls, then the first again. */
async function takeTurns(world: World, supplier: Supplier, keys: number): Promise<() => string> {
  const staff = world.staff();
  const tokens: string[] = [];
  while (tokens.length < keys) {
    const { api_key } = await staff.apiKeys.issue.mutate({ organisation_id: supplier.organisationId, label: 'fuzz' });
    tokens.push((await obtainTokens(world.url(), { apiKey: api_key })).token);
  }
  let calls = 0;
  return () => {
    calls += 1;
    return tokens[Math.floor(calls / REQUESTS_PER_KEY) % tokens.length] ?? supplier.token;
  };
}

/** A target whose key may be revoked: not the key in use. */
async function targetOf(world: World, supplier: Supplier): Promise<Target> {
  const { id } = await world.staff().apiKeys.issue.mutate({ organisation_id: supplier.organisationId, label: 'spare' });
  return { ...supplier, account: 'STAGED', apiKeyId: id };
}

function judge(
  { published }: FuzzSite,
  found: Findings,
  { request, answer }: { request: FuzzRequest; answer: Answer | undefined },
): void {
  const { operation, method, path, body, headers } = request;
  const { Authorization: _, ...others } = headers;
  const shown = { method, path: path.slice(0, 200), headers: others, body: body?.toString('utf8').slice(0, 300) };
  const name = nameOf(answer);
  const status = String(answer?.status ?? 'no answer');
  found.statuses[status] = (found.statuses[status] ?? 0) + 1;
  if (request.invalid !== undefined) found.invalid += 1;
  if (answer === undefined) {
    found.undocumented.push({ ...shown, problems: ['no answer'] });
    return;
  }
  const problems = operation === undefined ? problemsOfTrpc(answer) : problemsOfRest(published, request, answer);
  if (problems.length > 0) found.undocumented.push({ problems: problems.slice(0, 3), answer: name, ...shown });
  if (answer.status >= 500 && codeOf(answer) !== 'payment_vendor_unavailable')
    found.failures.push({ answer: answer.body, ...shown });
  if (request.invalid !== undefined && answer.status < 300) {
    found.acceptedInvalid.push({ answer: name, invalid: request.invalid, ...shown });
  }
  if (BROKEN.includes(String(codeOf(answer))) && body !== undefined && isJson(body)) {
    found.brokenOnTheWay.push({ answer: name, bytes: body.length, ...shown });
  }
}

const BROKEN = ['invalid_json', 'invalid_utf8'];

function problemsOfRest(published: FuzzSite['published'], request: FuzzRequest, answer: Answer): string[] {
  const { operation, method } = request;
  // A path with an empty or malformed segment is another path: only the error body is guaranteed there.
  if (operation === undefined || (answer.status === 404 && nameOf(answer) === '404 not_found')) return [];
  return published.problemsOf(operation, method, answer);
}

const TRPC_STATUSES = [200, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500];

/** tRPC's shape: a result, or an error that contains REST's body. */
function problemsOfTrpc(answer: Answer): string[] {
  const { status, body } = answer;
  const isKnown = TRPC_STATUSES.includes(status);
  const isShaped =
    status === 200
      ? fieldOf(body, 'result') !== undefined
      : typeof codeOf(answer) === 'string' && fieldOf(fieldOf(fieldOf(body, 'error'), 'data'), 'httpStatus') === status;
  return [...(isKnown ? [] : [`tRPC answered ${status}`]), ...(isShaped ? [] : ['not in the shape of tRPC'])];
}

function codeOf({ body }: Answer): unknown {
  const trpc = fieldOf(fieldOf(fieldOf(body, 'error'), 'data'), 'error');
  return fieldOf(trpc ?? body, 'code');
}
