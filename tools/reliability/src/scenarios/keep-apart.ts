import { isDeepStrictEqual } from 'node:util';
import { percentile, type Random } from '@causeway/testing';
import { type PublishedOperation, readInterface } from '../fuzz/published-interface.ts';
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
    const [own, foreign] = [await importedTarget(world), await importedTarget(world)];
    const absent = { ...foreign, code: 'ABSENT-00000000', account: 'ABSENT' };
    const { operations } = await readInterface(world.url());
    const [ownCalls, foreignCalls, absentCalls] = [own, foreign, absent].map((target) => callsAt(operations, target));
    const findings: Findings = { differing: [], open: [], closed: [], toldApart: [], compared: 0 };
    const ask: Ask = async (procedure, calls) => {
      const answer = await send(world.url(), { ...(calls?.get(procedure) as Request), token: own.token });
      // A staff procedure refuses a supplier whatever it names.
      if (isStaffs(procedure) && answer?.status !== 403) findings.open.push({ procedure, answer: nameOf(answer) });
      return answer;
    };
    const procedures = [...(ownCalls?.keys() ?? [])];
    for (const procedure of procedures) {
      const pair = [() => ask(procedure, foreignCalls), () => ask(procedure, absentCalls)] as const;
      await compare(findings, { procedure, repeats, random, pair });
      const answer = await ask(procedure, ownCalls);
      const isTakenAsForeign = JSON.stringify(answer?.body)?.includes('import_supplier_does_not_exist') !== false;
      if (!isStaffs(procedure) && isTakenAsForeign) findings.closed.push({ procedure, answer: nameOf(answer) });
    }
    return {
      figures: `${findings.compared} comparisons on ${procedures.length} endpoints and procedures, ${findings.differing.length} differing, ${findings.toldApart.length} told apart by their time`,
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

type Calls = ReadonlyMap<string, Request>;
type Ask = (procedure: string, calls: Calls | undefined) => Promise<Answer | undefined>;

const isStaffs = (procedure: string): boolean => procedure.startsWith('trpc of staff ');

/** An organisation whose one account has gone through every step. */
async function importedTarget(world: World): Promise<Target> {
  const supplier = await world.createSupplier();
  const account = 'A-1';
  await performSteps(world, supplier, account, OPERATIONS.slice(0, -1));
  const { id } = await world.staff().apiKeys.issue.mutate({ organisation_id: supplier.organisationId, label: 'spare' });
  return { ...supplier, account, apiKeyId: id };
}

/** A call about the target for every REST operation of the document and every tRPC procedure. */
function callsAt(operations: readonly PublishedOperation[], target: Target): Calls {
  const rest = operations
    .filter(({ path }) => path.startsWith('/v1/data-import/'))
    .map(({ method, path }): [string, Request] => [`${method} ${path}`, restRequest(path, target)]);
  const trpc = allProcedureCalls(target).map((call): [string, Request] => [
    `trpc ${call.isStaffs ? 'of staff ' : ''}${call.procedure}`,
    trpcRequest(call),
  ]);
  return new Map([...rest, ...trpc]);
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
  /** About what is foreign, and what is absent. */
  pair: readonly [() => Promise<Answer | undefined>, () => Promise<Answer | undefined>];
}

/** Calls both, in random order: their answers must be the same, and neither may be slower more often than by chance. */
async function compare(findings: Findings, { procedure, repeats, random, pair }: Comparison): Promise<void> {
  const differencesMs: number[] = [];
  const timed = async (call: () => Promise<Answer | undefined>) => {
    const startedAt = performance.now();
    const shown = shownOf(await call());
    return { shown, ms: performance.now() - startedAt };
  };
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const isForeignFirst = random.chance(0.5);
    const first = await timed(pair[isForeignFirst ? 0 : 1]);
    const second = await timed(pair[isForeignFirst ? 1 : 0]);
    const [foreign, absent] = isForeignFirst ? [first, second] : [second, first];
    findings.compared += 1;
    if (!isDeepStrictEqual(foreign.shown, absent.shown)) {
      findings.differing.push({ procedure, foreign: foreign.shown, absent: absent.shown });
    }
    differencesMs.push(foreign.ms - absent.ms);
  }
  const foreignSlower = differencesMs.filter((ms) => ms > 0).length;
  if (Math.abs(2 * foreignSlower - repeats) > NOISE_SIGMA * Math.sqrt(repeats)) {
    const medianMs = percentile(differencesMs, 0.5).toFixed(2);
    findings.toldApart.push({ procedure, foreignSlower: `${foreignSlower} of ${repeats}`, medianMs });
  }
}

/** An answer without its time and id. */
function shownOf(answer: Answer | undefined): unknown {
  if (answer === undefined) return 'no answer';
  const headers = [...answer.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return { status: answer.status, body: answer.body, headers };
}
