import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { repeatAfter } from '@causeway/rest-client';
import { obtainTokens } from '@causeway/rest-client/portable';
import { CommandFailed } from './command-line.ts';
import { type DemoEnvironment, demoEnvironment } from './demo-environment.ts';
import { hintLines } from './hint-lines.ts';
import { type Mailbox, startMailbox } from './mailbox/start-mailbox.ts';
import { isWrong, type Move, moveSampleBook, STAFF_ATTEMPTS, verdictLines } from './move-sample-book.ts';
import type { DemoOptions } from './read-options.ts';
import type { Screen } from './screen.ts';
import { DEMO } from './set-up-supplier.ts';
import { type ServiceProcess, startService } from './start-service.ts';

export interface Demo {
  options: DemoOptions;
  /** The process's environment variables. */
  variables: Record<string, string | undefined>;
  screen: Screen;
  /** Aborted when the demo is to end: it then stops the service cleanly. */
  stop: AbortSignal;
}

const INTERRUPTED = 130;
/** So long it may take to end as it should. */
const STOPS_WITHIN_MS = 10_000;

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
  let move: Move;
  try {
    move = await moveSampleBook({ ...demo, url: service.url, environment });
  } catch (error) {
    if (stop.aborted) {
      screen.write('\n  Stopped half way. Run it again: it resumes where it stopped.\n');
      return INTERRUPTED;
    }
    if (!(error instanceof CommandFailed)) throw error;
    // The command has said why.
    await throwIfEnded(service);
    screen.write(`\n  ${screen.paint('red', `✗ ${error.message}`)}\n`);
    return 1;
  }
  for (const line of verdictLines(move, environment.beginAgain, screen))
    screen.write(line === '' ? '\n' : `  ${line}\n`);
  if (isWrong(move)) return 1;
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
