import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@causeway/client';
import { type BookOptions, sampleAccounts } from '@causeway/realistic-books';
import { createRestClient, repeatAfter } from '@causeway/rest-client';
import { obtainTokens } from '@causeway/rest-client/portable';
import { bulkSummaryLines } from './bulk/bulk-summary.ts';
import { runBulk } from './bulk/run-bulk.ts';
import { type DemoEnvironment, demoEnvironment } from './demo-environment.ts';
import { type Hints, hintLines } from './hint-lines.ts';
import { type Mailbox, startMailbox } from './mailbox/start-mailbox.ts';
import { proofLines } from './manifest/proof-lines.ts';
import { lodgeBook, prove } from './manifest/prove.ts';
import { changedLines, findMovedByHand, movedByHandLines } from './moved-by-hand.ts';
import type { DemoOptions } from './read-options.ts';
import { type CallAccess, runCalls } from './run-calls.ts';
import type { Screen } from './screen.ts';
import { DEMO, setUpSupplier } from './set-up-supplier.ts';
import { type ServiceProcess, startService } from './start-service.ts';
import { summaryLines } from './summary.ts';

export interface Demo {
  options: DemoOptions;
  /** The process's environment variables. */
  variables: Record<string, string | undefined>;
  screen: Screen;
  /** Aborted when the demo is to end: it then stops the service cleanly. */
  stop: AbortSignal;
}

const SEED = 'causeway';
const INTERRUPTED = 130;
/** So long it may take to end as it should. */
const STOPS_WITHIN_MS = 10_000;
/** After so long without an answer to the service team's calls, the demo says why it stands still. */
const SAID_AFTER_MS = 10_000;
/** How long a call waits for a service that has more to do than it can. */
const PATIENCE_MS = 600_000;
/** The service team's calls wait up to 10 seconds before each. */
const STAFF_ATTEMPTS = 60;

/**
 * Starts the service, moves the sample book and tells what happened to it (behaviour 18), then serves on until `stop`.
 * Returns the exit code: 1 where an answer was unexpected or the figures do not add up. Throws where the service cannot
 * start, and where it ends by itself.
 */
export async function runDemo(demo: Demo): Promise<number> {
  const { options, screen } = demo;
  const environment = await demoEnvironment(demo.variables);
  screen.write(`\n  ${screen.paint('bold', 'Causeway')}: ${DEMO.organisation} moves ${options.accounts} accounts.\n`);
  const mailbox = await startMailbox();
  // Whatever server is set: the customers of the book are invented, and nothing leaves the machine.
  const variables = { ...environment.variables, SMTP_URL: mailbox.smtpUrl, EMAILS_PER_MINUTE: '60000' };
  const service = await startService(variables);
  try {
    screen.write(`  Serving at ${service.url}, ${environment.storage}\n`);
    const moved = moveAndServe(demo, service, { ...environment, mailbox });
    return await Promise.race([moved, service.failure, cutShort(demo, moved)]);
  } catch (error) {
    await throwIfEnded(service);
    throw error;
  } finally {
    await service.stop();
    mailbox.close();
  }
}

async function moveAndServe(
  demo: Demo,
  service: ServiceProcess,
  environment: DemoEnvironment & { mailbox: Mailbox },
): Promise<number> {
  const { options, screen, stop } = demo;
  const move = await moveSampleBook(demo, service, environment);
  if (!move) {
    screen.write('\n  Stopped half way. Run it again: it resumes where it stopped.\n');
    return INTERRUPTED;
  }
  if (move.hasProblems) await throwIfEnded(service);
  for (const line of move.summary) screen.write(`${line}\n`);
  if (move.hasProblems) return 1;
  if (options.exit) return 0;
  const refreshToken = await refreshTokenOf(environment.staffApiKey, service.url);
  const { mailbox, staffKeyFile } = environment;
  const hints = { url: service.url, mailboxUrl: mailbox.url, staffKeyFile, refreshToken, ...move };
  for (const line of hintLines(hints, screen)) screen.write(`${line}\n`);
  screen.write(`\n  ${screen.paint('bold', 'Serving until Ctrl-C.')}\n`);
  if (!stop.aborted) await once(stop, 'abort');
  screen.write('\n  Stopping.\n');
  return 0;
}

/** Some calls keep waiting for a service that does not answer, whatever `stop` says. */
async function cutShort({ stop, screen }: Demo, moved: Promise<number>): Promise<number> {
  if (!stop.aborted) await once(stop, 'abort');
  const ended = new AbortController();
  moved.finally(() => ended.abort()).catch(() => undefined);
  const isLate = await wait(STOPS_WITHIN_MS, true, { ref: false, signal: ended.signal }).catch(() => false);
  // What has ended by then has told how.
  if (!isLate) return moved;
  screen.write('\n  Stopped before it was done. Run it again: it resumes where it stopped.\n');
  return INTERRUPTED;
}

/** Tells that the service takes no more calls now, so that a bar that stands still is no riddle. */
function sayOnce(screen: Screen): () => void {
  let isSaid = false;
  return () => {
    const start = screen.isTerminal ? '\n' : '';
    if (!isSaid) screen.write(`${start}  The service is busy or does not answer: calls wait, and are sent again.\n`);
    isSaid = true;
  };
}

/** For the link that logs in to the console. */
async function refreshTokenOf(apiKey: string, url: string): Promise<string> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return (await obtainTokens(url, { apiKey })).refreshToken;
    } catch (failure) {
      const pauseMs = repeatAfter({ failure }, attempts);
      if (pauseMs === undefined || attempts === STAFF_ATTEMPTS) throw failure;
      await wait(pauseMs);
    }
  }
}

/** What goes wrong while the service is ending by itself goes wrong because of that: throws why it ended. */
async function throwIfEnded({ url, failure }: ServiceProcess): Promise<void> {
  const answer = await fetch(`${url}/healthz`).catch(() => undefined);
  if (!answer) await failure;
}

/** What was moved, for the summary and for what can be tried afterwards. */
interface Move {
  apiKey: string;
  importSupplier: string;
  summary: readonly string[];
  hasProblems: boolean;
  /** Some of the accounts that there are now. */
  created: Hints['created'];
  reconciliationId: string;
}

async function moveSampleBook(
  { options, screen, stop }: Demo,
  { url }: ServiceProcess,
  { staffApiKey, beginAgain }: DemoEnvironment,
): Promise<Move | undefined> {
  const staff = createClient({ url, apiKey: staffApiKey, attempts: STAFF_ATTEMPTS });
  const importSupplier = options.bulk ? DEMO.importSupplierInBulk : DEMO.importSupplier;
  const onWait = sayOnce(screen);
  const standsStill = setTimeout(onWait, SAID_AFTER_MS);
  const supplier = setUpSupplier(staff, importSupplier).finally(() => clearTimeout(standsStill));
  const { apiKey, apiKeyId, bookDate } = await supplier;
  const { team: teamName } = DEMO;
  const book = { seed: SEED, importSupplier, teamName, accounts: options.accounts, bookDate };
  const client = createRestClient({ url, apiKey, patienceMs: PATIENCE_MS, stop, onWait });
  const skipAccount = async (external_account_number: string, reason: string) => {
    await staff.accountImports.skip.mutate({ code: importSupplier, external_account_number, reason });
  };
  const inBulk = options.bulk;
  const lodged = await lodgeBook({ client, importSupplier, stop }, { book, inBulk }, screen);
  if (lodged === undefined) return undefined;
  const look = { client, importSupplier, inBulk, stop };
  const movedByHand = await findMovedByHand(look, lodged.isFirstRun ? [] : sampleAccounts(book));
  const access = { client, importSupplier, skipAccount, staff, apiKeyId, movedByHand, stop };
  const moved = await (options.bulk ? moveByUpload : moveByCalls)(access, book, screen);
  if (moved === undefined) return undefined;
  const proof = await prove(access, lodged);
  if (proof === undefined) return undefined;
  const hasProblems = moved.hasProblems || proof.unexpected.length > 0;
  const ofOthers =
    hasProblems && !lodged.isFirstRun ? changedLines(beginAgain) : movedByHandLines(movedByHand, beginAgain);
  return {
    apiKey,
    importSupplier,
    summary: [...moved.summary, ...proofLines(proof, screen), ...ofOthers],
    hasProblems,
    created: moved.created,
    reconciliationId: proof.reconciliation.id,
  };
}

type Moved = Pick<Move, 'summary' | 'hasProblems' | 'created'>;

async function moveByUpload(access: CallAccess, book: BookOptions, screen: Screen): Promise<Moved | undefined> {
  const tally = await runBulk(access, book, screen);
  if (tally === undefined) return undefined;
  const { unexpected, created } = tally;
  return { summary: bulkSummaryLines(tally, screen), hasProblems: unexpected.length > 0, created };
}

async function moveByCalls(access: CallAccess, book: BookOptions, screen: Screen): Promise<Moved | undefined> {
  const called = await runCalls(access, book, screen);
  if (called === undefined) return undefined;
  const { outcomes, tally } = called;
  const created = outcomes
    .filter(({ serviceAccountNumber }) => serviceAccountNumber)
    .map(({ account: { externalAccountNumber, expected } }) => {
      return { externalAccountNumber, isCarried: expected !== undefined };
    });
  return { summary: summaryLines(tally, screen), hasProblems: tally.problems.length > 0, created };
}
