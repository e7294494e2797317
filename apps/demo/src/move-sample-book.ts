import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type CausewayClient, createClient } from '@causeway/client';
import { type Judgement, judge, type Source, writeManifest } from './book.ts';
import { causeway } from './command-line.ts';
import type { DemoEnvironment } from './demo-environment.ts';
import type { DemoOptions } from './read-options.ts';
import type { Screen } from './screen.ts';
import { DEMO, setUpSupplier, skipAccount } from './set-up-supplier.ts';

/** What the sample book is moved with. */
interface Moving {
  options: DemoOptions;
  /** The process's environment variables. */
  variables: Readonly<Record<string, string | undefined>>;
  /** Where the service serves. */
  url: string;
  environment: DemoEnvironment;
  screen: Screen;
  stop: AbortSignal;
}

const SEED = 'causeway';
/** The service team's calls wait up to 10 seconds before each. */
export const STAFF_ATTEMPTS = 60;
/** After so long without an answer to the service team's calls, the demo says why it stands still. */
const SAID_AFTER_MS = 10_000;

/** What was moved, and whether what is stored is what was expected. */
export interface Move extends Judgement {
  apiKey: string;
  importSupplier: string;
  examples: Source['examples'];
  /** Where the book and the command line's files are. */
  folder: string;
  /** Whether no earlier run has come to its end. */
  isFirstRun: boolean;
}

/** Whether something is not as it should be: after a first run nobody can have changed anything. */
export const isWrong = ({ unexpected, changed, isFirstRun }: Move) =>
  unexpected.length > 0 || (isFirstRun && changed.length > 0);

/** Moves the book with the command line, as a supplier's engineer does, and compares what is stored with its source. */
export async function moveSampleBook({ options, variables, url, environment, screen, stop }: Moving): Promise<Move> {
  const { accounts, bulk: inBulk } = options;
  const { staffApiKey, dataDirectory } = environment;
  const staff = createClient({ url, apiKey: staffApiKey, attempts: STAFF_ATTEMPTS });
  const importSupplier = inBulk ? DEMO.importSupplierInBulk : DEMO.importSupplier;
  const standsStill = setTimeout(() => screen.write(WAITING), SAID_AFTER_MS);
  const supplier = setUpSupplier(staff, importSupplier).finally(() => clearTimeout(standsStill));
  const { apiKey, bookDate } = await supplier;
  const folder = path.join(dataDirectory, 'demo', importSupplier);
  // What is moved already the service knows.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const book = { seed: SEED, importSupplier, accounts, bookDate };
  const source = await writeManifest(path.join(folder, 'manifest.ndjson'), { book, inBulk, stop });
  const user = { variables, url, apiKey, folder, screen, stop };
  const to = ['--supplier', importSupplier];
  const of = ['--seed', SEED, '--date', bookDate, '--faults'];
  await causeway(user, 'sample', '--accounts', String(accounts), ...of, ...to, '-o', 'book.ndjson');
  const counted = ['--source-system', 'Harbour & Vale billing', '--as-of', `${bookDate}T00:00:00Z`];
  const lodged = await causeway(user, 'manifest', 'lodge', 'manifest.ndjson', ...to, ...counted);
  const [manifest = ''] = lodged.output.split(' ');
  const isFirstRun = await isFirst(staff, importSupplier, manifest);
  for (const account of source.skipped) {
    await skipAccount(staff, account);
    screen.write(`\n  The service team leaves ${account.externalAccountNumber} out: ${account.skipReason}\n`);
  }
  const team = ['--team', DEMO.team];
  if (inBulk) await causeway(user, 'upload', 'book.ndjson', ...to, ...team, ...UPLOAD);
  else await causeway(user, 'move', 'book.ndjson', ...to, ...team);
  await causeway(user, 'reconcile', ...to, '--manifest', manifest, '-o', 'differences.ndjson');
  const judgement = await judge(path.join(folder, 'differences.ndjson'), source);
  return { apiKey, importSupplier, examples: source.examples, folder, isFirstRun, ...judgement };
}

/** A job of an earlier run has ended: another one finds all lines there. Of a small book much is refused. */
const UPLOAD = ['--start', '--watch', '--new-job', '--parallelism', '2', '--max-refused', '100%'];
const WAITING = '  The service does not answer yet: calls are sent again.\n';

/** Who was interrupted was shown no key: what is there was moved by that run, and is judged as strictly as a first one. */
async function isFirst(staff: CausewayClient, import_supplier: string, manifestId: string): Promise<boolean> {
  const { lodged_before_load } = await staff.dataImport.manifest.query({ manifest_id: manifestId });
  if (lodged_before_load !== true) return false;
  const compared = await staff.dataImport.listReconciliations.query({ import_supplier });
  return !compared.some(({ manifest_id, state }) => manifest_id === manifestId && state === 'FINISHED');
}

const MAX_SHOWN = 10;

/** What came of it, for people; `beginAgain` is what to do to begin again. */
export function verdictLines(move: Move, beginAgain: string, screen: Screen): string[] {
  const { unexpected, changed, isFirstRun } = move;
  const wrong = isFirstRun ? [...unexpected, ...changed] : unexpected;
  const shown = (lines: readonly string[]) => [
    ...lines.slice(0, MAX_SHOWN),
    ...(lines.length > MAX_SHOWN ? [`and ${lines.length - MAX_SHOWN} more`] : []),
  ];
  const since = [
    'Changed since an earlier run, and not counted:',
    ...shown(changed).map((line) => `  ${line}`),
    `To begin again, end the demo and ${beginAgain}.`,
  ];
  return [
    '',
    ...(wrong.length > 0
      ? ['This should not have happened:', ...shown(wrong).map((line) => `✗ ${line}`)].map((line) =>
          screen.paint('red', line),
        )
      : [screen.paint('green', AS_PLANTED)]),
    ...(!isFirstRun && changed.length > 0 ? since : []),
  ];
}

const AS_PLANTED = '✓ Only what was refused differs, and what was planted: a penny too much, and a forgotten account.';
