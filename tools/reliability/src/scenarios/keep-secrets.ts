import { readInterface } from '../fuzz/published-interface.ts';
import { Canaries, countStored, dumpTables, findEscapes, populate, spoil } from '../rig/canaries.ts';
import { ADDED, OPERATIONS, operationOn } from '../rig/operations.ts';
import { SENDS_EMAILS, secretBytes, secretRequests, startOthers, VALIDATE } from '../rig/secrets.ts';
import { type Answer, fieldOf, nameOf, type Request, send } from '../rig/send.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { isSo, none, type Outcome, type Scenario } from '../scenario.ts';

/**
 * Canaries in every field, key and header, accepted and refused; then every log, metric, error body and table is
 * searched.
 */
export const keepSecrets: Scenario = {
  row: 12,
  title: 'secrets and personal data',
  unit: 'rounds',
  full: 5,
  short: 1,
  async run(rounds): Promise<Outcome> {
    const canaries = new Canaries();
    await using others = await startOthers(canaries);
    await using world = await startWorld({ variables: { LOG_LEVEL: 'trace', ...others.variables } });
    const supplier = await world.createSupplier({ name: 'Has a trail', ...SENDS_EMAILS });
    await others.tell(world, supplier);
    const site: Site = { world, supplier, canaries, errorBodies: [], odd: [], accounts: 0 };
    for (let round = 0; round < rounds; round += 1) {
      await sendData(site);
      await sendSecrets(site);
      await breakThings(site);
    }
    const areTold = await others.areTold();
    const metrics = await (await fetch(`${world.url()}/metrics`)).text();
    // The process writes the last lines of its log when it ends.
    await world.instances[0]?.process.terminate();
    const { logLines = [], errorLines = [] } = world.instances[0]?.process ?? {};
    const texts = new Map([
      ['the log', logLines.join('\n')],
      ['standard error', errorLines.join('\n')],
      ["PostgreSQL's log", await world.postgres.readLog()],
      ['the metrics', metrics],
      ['an error body', site.errorBodies.join('\n')],
    ]);
    const dump = await dumpTables(world);
    const escapes = findEscapes(canaries.all, texts, dump);
    const count = (kind: string) => canaries.all.filter((canary) => canary.kind === kind).length;
    const stored = countStored(canaries.all, dump);
    return {
      figures: `${count('data')} canaries in data (${stored} stored), ${count('refused')} in what was refused, ${count('secret')} secrets, ${count('told')} in what others are told or answer; ${logLines.length} log lines, ${site.errorBodies.length} error bodies, ${dump.size} tables: ${escapes.length} escaped`,
      claims: [
        ...none({
          'a canary where it does not belong': escapes,
          'an answer that shows the test to be wrong': site.odd,
        }),
        isSo('canaries of data that the database holds', stored > 30),
        isSo('a mail server and a receiver of webhooks were told', areTold),
        isSo('the log was written', logLines.length > 100),
      ],
    };
  },
};

interface Site {
  world: World;
  supplier: Supplier;
  canaries: Canaries;
  errorBodies: string[];
  odd: unknown[];
  accounts: number;
}

async function ask(site: Site, request: Request): Promise<Answer | undefined> {
  const answer = await send(site.world.url(), { token: site.supplier.token, ...request });
  // The body of a refusal has the transaction itself (behaviour 4.5).
  const isTransactions = fieldOf(answer?.body, 'status') === 'TRANSACTION_IMPORT_ERROR';
  if (answer !== undefined && answer.status >= 400 && !isTransactions)
    site.errorBodies.push(JSON.stringify(answer.body));
  return answer;
}

/** Every endpoint with canaries in every field, and with each field invalid in turn. */
async function sendData(site: Site): Promise<void> {
  const { world, supplier, canaries } = site;
  const published = await readInterface(world.url());
  site.accounts += 1;
  const account = `A-${site.accounts}`;
  for (const name of OPERATIONS) {
    const { path, body } = operationOn(supplier, account, name);
    const operation = published.operations.find((one) => one.path === path);
    if (operation === undefined) throw new Error(`${path} is not documented`);
    const isValid = async (candidate: unknown) =>
      name === 'stage'
        ? (await send(world.url(), { path: VALIDATE, body: candidate, token: supplier.token }))?.status === 200
        : operation.problemsOfBody(candidate).length === 0;
    const example = name === 'stage' ? { ...exampleOf(operation.schema), ...body } : body;
    const populated = await populate({ published, canaries, isValid }, operation, example);
    if (name === 'instruction') {
      for (const reference of [populated.supersedes, populated.reference].map(String)) {
        world.vendor.behaveFor(reference, { kind: 'answer', body: { reference, type: 'CARD', status: 'ACTIVE' } });
      }
      populated.type = 'CARD';
      await ask(site, { path, body: { ...body, reference: populated.supersedes } });
    }
    for (const spoilt of spoil(canaries, populated)) {
      const answer = await ask(site, { path, body: spoilt });
      if (answer?.status !== 400) site.odd.push({ path, spoilt: nameOf(answer) });
    }
    // The name of an undocumented field is in a header, and so is kept with the answer of a marked request.
    await ask(site, { path: VALIDATE, body: { ...populated, [canaries.create('refused')]: 1 } });
    const undocumented = { ...populated, undocumented: canaries.create('refused') };
    const answer = await ask(site, {
      path,
      body: undocumented,
      headers: { 'Idempotency-Key': canaries.create('secret') },
    });
    if (answer?.status !== 201) site.odd.push({ path, populated: nameOf(answer), body: answer?.body });
  }
}

function exampleOf(schema: unknown): Record<string, unknown> {
  return (fieldOf(schema, 'examples') as Record<string, unknown>[] | undefined)?.[0] ?? {};
}

/** Keys, tokens and headers, and data where it does not belong. */
async function sendSecrets(site: Site): Promise<void> {
  const { world, supplier, canaries } = site;
  for (const request of await secretRequests(world, supplier, canaries)) await ask(site, request);
  await send(world.url(), secretBytes(supplier, canaries));
}

/** Failures of the database and the vendor, in the middle of requests with canaries: what fails is logged. */
async function breakThings(site: Site): Promise<void> {
  const { world, supplier, canaries } = site;
  const [instance] = world.instances;
  site.accounts += 1;
  const account = `A-${site.accounts}`;
  const person = { given_name: canaries.create('data'), family_name: canaries.create('data') };
  const { path, body } = operationOn(supplier, account, 'stage');
  for (let message = 0; message < 6; message += 1) {
    instance?.proxy.arm({
      direction: message % 2 === 0 ? 'to-server' : 'to-client',
      at: { messages: message },
      does: 'cut',
    });
    await ask(site, { path, body: { ...body, customers: [person] } });
  }
  instance?.proxy.disarm();
  for (const step of ['stage', 'process', 'notes', 'transactions'] as const) {
    const request = operationOn(supplier, account, step);
    for (let answer = await ask(site, request); (answer?.status ?? 503) === 503; answer = await ask(site, request));
  }
  // A number out of the column's range makes PostgreSQL report the row, and quote it unless configured otherwise.
  await world.query('ALTER TABLE notes ADD CONSTRAINT short CHECK (length(body) < 20) NOT VALID');
  const notes = operationOn(supplier, account, 'notes');
  await ask(site, {
    ...notes,
    body: { ...notes.body, notes: [{ body: `${canaries.create('refused')} longer than that` }] },
  });
  await world.query('ALTER TABLE notes DROP CONSTRAINT short');
  const instruction = operationOn(supplier, account, 'instruction');
  const answers = [
    canaries.create('refused'),
    { reference: canaries.create('refused') },
    { [canaries.create('refused')]: ADDED },
  ];
  for (const vendorBody of answers) {
    world.vendor.behave({ kind: 'answer', body: vendorBody });
    await ask(site, instruction);
  }
}
