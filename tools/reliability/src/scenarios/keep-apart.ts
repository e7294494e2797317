import { isDeepStrictEqual } from 'node:util';
import { percentile, type Random } from '@causeway/testing';
import { readInterface } from '../fuzz/published-interface.ts';
import {
  allProcedureCalls,
  OPERATIONS,
  operationOn,
  performSteps,
  type Target,
  trpcRequest,
} from '../rig/operations.ts';
import { type Answer, nameOf, type Request, send } from '../rig/send.ts';
import { startWorld, type World } from '../rig/start-world.ts';
import { dependingOnSpeed, none, type Outcome, type Scenario } from '../scenario.ts';

/** How many standard deviations one side may be the slower one more often by chance. */
const NOISE_SIGMA = 4;

/** Every endpoint and procedure, called with own, foreign and absent ids. */
export const keepApart: Scenario = {
  row: 11,
  title: 'isolation of organisations',
  alone: true,
  unit: 'repeats of each call',
  full: 200,
  short: 3,
  async run(repeats, random): Promise<Outcome> {
    await using world = await startWorld();
    const own = await importedTarget(world);
    const foreign = await importedTarget(world);
    const absent = { ...foreign, code: 'ABSENT-00000000', account: 'ABSENT' };
    const absentAccount = { ...own, account: 'ABSENT' };
    const calls = await callsAt(world, [own, foreign, absent, absentAccount]);
    const findings: Findings = { differing: [], open: [], closed: [], toldApart: [], compared: 0 };
    for (const [procedure, [ownCall, foreignCall, absentCall, absentAccountCall]] of calls) {
      await compare(world, findings, { procedure, repeats, random, token: own.token, foreignCall, absentCall });
      // A staff procedure refuses a supplier whatever it names.
      const refused = await send(world.url(), { ...absentAccountCall, token: own.token });
      mustBeClosed(findings, procedure, refused);
      if (isOpen(procedure)) await mustAnswer(world, findings, { procedure, token: own.token, call: ownCall });
    }
    return {
      figures: `${findings.compared} comparisons on ${calls.size} endpoints and procedures, ${findings.differing.length} differing, ${findings.toldApart.length} told apart by their time`,
      claims: [
        ...none({
          'a foreign answer that is not the absent one': findings.differing,
          'a staff procedure open to a supplier': findings.open,
          'an own call that is refused as if it were foreign': findings.closed,
        }),
        ...dependingOnSpeed(none({ 'calls whose time tells foreign from absent': findings.toldApart })),
      ],
    };
  },
};

interface Findings {
  differing: unknown[];
  open: unknown[];
  closed: unknown[];
  toldApart: unknown[];
  compared: number;
}

const isOpen = (procedure: string): boolean => !procedure.startsWith('trpc of staff ');

/** An organisation whose one account has gone through every step. */
async function importedTarget(world: World): Promise<Target> {
  const supplier = await world.createSupplier();
  const account = 'A-1';
  await performSteps(world, supplier, account, OPERATIONS.slice(0, -1));
  const { id } = await world.staff().apiKeys.issue.mutate({ organisation_id: supplier.organisationId, label: 'spare' });
  return { ...supplier, account, apiKeyId: id };
}

type Calls = Map<string, [Request, Request, Request, Request]>;

/** The same call about each target, for every REST operation of the document and every tRPC procedure. */
async function callsAt(world: World, targets: [Target, Target, Target, Target]): Promise<Calls> {
  const { operations } = await readInterface(world.url());
  const requests = targets.map((target) => {
    const all = allProcedureCalls(target);
    const rest = operations
      .filter(({ path }) => path.startsWith('/v1/data-import/'))
      .map(({ method, path }): [string, Request] => [`${method} ${path}`, restRequest(path, target)]);
    const trpc = all.map((call): [string, Request] => {
      const { body, ...request } = trpcRequest(call);
      return [
        `trpc ${call.isStaffs ? 'of staff ' : ''}${call.procedure}`,
        body === undefined ? request : { ...request, body },
      ];
    });
    return new Map([...rest, ...trpc]);
  });
  const [first] = requests;
  return new Map(
    [...(first ?? [])].map(([name]) => [
      name,
      requests.map((one) => one.get(name)) as Calls extends Map<string, infer Four> ? Four : never,
    ]),
  );
}

function restRequest(path: string, target: Target): Request {
  const operation = OPERATIONS.map((name) => operationOn(target, target.account, name)).find(
    (one) => one.path === path,
  );
  if (operation !== undefined) return operation;
  if (path.includes('validate')) return { path, body: operationOn(target, target.account, 'stage').body };
  return {
    path: path
      .replace('{import_supplier_code}', target.code)
      .replace('{external_account_number}', encodeURIComponent(target.account)),
  };
}

interface Comparison {
  procedure: string;
  repeats: number;
  random: Random;
  token: string;
  foreignCall: Request;
  absentCall: Request;
}

/** Calls both, in random order: their answers must be the same, and neither may be slower more often than by chance. */
async function compare(world: World, findings: Findings, comparison: Comparison): Promise<void> {
  const { procedure, repeats, random, token, foreignCall, absentCall } = comparison;
  let foreignSlower = 0;
  const differencesMs: number[] = [];
  const ask = async (call: Request) => {
    const startedAt = performance.now();
    const answer = await send(world.url(), { ...call, token });
    mustBeClosed(findings, procedure, answer);
    return { shown: shownOf(answer), ms: performance.now() - startedAt };
  };
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const isForeignFirst = random.chance(0.5);
    const first = await ask(isForeignFirst ? foreignCall : absentCall);
    const second = await ask(isForeignFirst ? absentCall : foreignCall);
    const [foreign, absent] = isForeignFirst ? [first, second] : [second, first];
    findings.compared += 1;
    if (!isDeepStrictEqual(foreign.shown, absent.shown)) {
      findings.differing.push({ procedure, foreign: foreign.shown, absent: absent.shown });
    }
    differencesMs.push(foreign.ms - absent.ms);
    if (foreign.ms > absent.ms) foreignSlower += 1;
  }
  if (Math.abs(2 * foreignSlower - repeats) > NOISE_SIGMA * Math.sqrt(repeats)) {
    const medianMs = percentile(differencesMs, 0.5).toFixed(2);
    findings.toldApart.push({ procedure, foreignSlower: `${foreignSlower} of ${repeats}`, medianMs });
  }
}

function mustBeClosed(findings: Findings, procedure: string, answer: Answer | undefined): void {
  if (!isOpen(procedure) && answer?.status !== 403) findings.open.push({ procedure, answer: nameOf(answer) });
}

interface One {
  procedure: string;
  token: string;
  call: Request;
}

async function mustAnswer(world: World, findings: Findings, { procedure, token, call }: One): Promise<void> {
  const answer = await send(world.url(), { ...call, token });
  if (JSON.stringify(answer?.body)?.includes('import_supplier_does_not_exist') !== false) {
    findings.closed.push({ procedure, answer: nameOf(answer) });
  }
}

/** An answer without its time and id. */
function shownOf(answer: Answer | undefined): unknown {
  if (answer === undefined) return 'no answer';
  const headers = [...answer.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return { status: answer.status, body: answer.body, headers };
}
