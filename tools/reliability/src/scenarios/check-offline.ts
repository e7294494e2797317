import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Random } from '@causeway/testing';
import { type Part, type PublishedInterface, readInterface } from '../fuzz/published-interface.ts';
import { drawValue, mutateValue } from '../fuzz/values.ts';
import { runCommand } from '../rig/run-command.ts';
import { fieldOf, send } from '../rig/send.ts';
import type { SupplierOptions } from '../rig/service-world.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { exactly, isSo, listed, none, type Outcome, type Scenario, tally } from '../scenario.ts';

const VALIDATE = '/v1/data-import/validate-account/';
const AT_ONCE = 8;
const MUTATED = 0.6;

/** Import suppliers whose settings change the answer to an account. */
const KINDS: readonly SupplierOptions[] = [
  {},
  { country: 'AU', undocumented_fields: 'REJECT' },
  { empty_means_omitted: true },
  { statement_amount_unit: 'MINOR', account_types: ['BUSINESS'], balance_check: 'REFUSE' },
];

/** Accounts, valid and mutated, that validate-account and `causeway validate` answer alike. */
export const checkOffline: Scenario = {
  row: 33,
  title: 'fuzzed accounts to the service and to causeway validate, 4 kinds of settings',
  unit: 'accounts',
  full: 100_000,
  short: 200,
  async run(accounts, random): Promise<Outcome> {
    await using world = await startWorld({ dropLog: true });
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(path.join(tmpdir(), 'causeway-validate-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const published = await readInterface(world.url());
    const compared: Compared = { codes: [], differing: [], accepted: 0, compared: 0 };
    for (const [index, settings] of KINDS.entries()) {
      const supplier = await world.createSupplier(settings);
      const bodies = drawAccounts(published, random.fork(`kind ${index}`), {
        supplier,
        accounts: Math.ceil(accounts / KINDS.length),
      });
      const answers = await answersOf(world, supplier, bodies);
      const found = await foundOffline(world, supplier, { bodies, folder });
      for (const [at, answer] of answers.entries()) compare(compared, { sent: bodies[at], answer, found: found[at] });
    }
    return {
      figures: `${compared.compared} accounts: ${compared.accepted} accepted, ${listed(tally(compared.codes))}; ${compared.differing.length} answered otherwise offline`,
      claims: [
        ...none({ 'an account that is answered otherwise offline': compared.differing }),
        exactly('accounts compared', compared.compared, Math.ceil(accounts / KINDS.length) * KINDS.length),
        isSo('a tenth and more were accepted', compared.accepted * 10 >= accounts),
      ],
    };
  },
};

type Account = Record<string, unknown>;

/** What was said of an account: of a refused one the code, the sentence and the errors. */
type Said = 'accepted' | { code: unknown; detail: unknown; errors: unknown };

interface Compared {
  /** Of the refusals. */
  codes: string[];
  differing: unknown[];
  accepted: number;
  compared: number;
}

/** As the document has them, three in five changed. Each has a number of its own: a book has an account once. */
function drawAccounts(
  { operations, resolve, ...others }: PublishedInterface,
  random: Random,
  { supplier, accounts }: { supplier: Supplier; accounts: number },
): Account[] {
  const schema = operations.find((operation) => operation.path === VALIDATE)?.schema as Part;
  return Array.from({ length: accounts }, (_, index) => {
    const drawn = drawValue({ operations, resolve, ...others }, random, schema);
    const account = (random.chance(MUTATED) ? mutateValue(random, drawn) : drawn) as Account;
    // A line of another supplier's book is refused for that alone.
    const names = { import_supplier: supplier.code, operations_team_name: supplier.teamName };
    return { ...account, ...names, external_account_number: `FUZZ-${index}` };
  });
}

/** What the service answers, in the order of the accounts. */
async function answersOf(world: World, { token }: Supplier, accounts: readonly Account[]): Promise<Said[]> {
  const answers: Said[] = [];
  const left = accounts.entries();
  const work = async () => {
    for (const [index, body] of left) {
      const answer = await send(world.url(), { path: VALIDATE, token, body });
      answers[index] = answer?.status === 200 ? 'accepted' : saidIn(answer?.body, 'request body');
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return answers;
}

interface ResultLine {
  line: number;
  outcome: 'accepted' | 'refused';
}

/** What the command line says of the same accounts, as lines of a book. */
async function foundOffline(
  world: World,
  { code, apiKey }: Supplier,
  { bodies, folder }: { bodies: readonly Account[]; folder: string },
): Promise<Said[]> {
  const book = path.join(folder, code);
  await writeFile(book, bodies.map((account) => `${JSON.stringify({ account })}\n`).join(''));
  await runCommand({
    words: ['validate', book, '--like-supplier', code, '--payment-vendors', 'VENDOR', '--json'],
    variables: { CAUSEWAY_URL: world.url(), CAUSEWAY_API_KEY: apiKey },
    directory: folder,
  });
  const results = await readFile(path.join(`${book}.validated`, 'results.ndjson'), 'utf8');
  const found = Array.from(bodies, (): Said => 'accepted');
  for (const text of results.split('\n').filter((each) => each !== '')) {
    const result: ResultLine = JSON.parse(text);
    if (result.outcome === 'refused') found[result.line - 1] = saidIn(result, 'book line');
  }
  return found;
}

/** `source` is what a sentence calls the text that it is about. */
function saidIn(body: unknown, source: string): Said {
  const [code, detail, errors] = ['code', 'detail', 'errors'].map((name) => fieldOf(body, name));
  return { code, detail: String(detail).replace(source, 'text'), errors };
}

function compare(compared: Compared, { sent, answer, found }: { sent: unknown; answer: Said; found: unknown }): void {
  compared.compared += 1;
  if (answer === 'accepted') compared.accepted += 1;
  else compared.codes.push(String(answer.code));
  if (isDeepStrictEqual(answer, found)) return;
  const shown = JSON.stringify(sent).slice(0, 2_000);
  compared.differing.push({ answer, found, sent: shown });
}
