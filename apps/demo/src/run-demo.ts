import { once } from 'node:events';
import { type Service, startService } from '../../api/src/service.ts';
import { sampleBook } from './book/sample-book.ts';
import { demoEnvironment } from './demo-environment.ts';
import { hintLines } from './hint-lines.ts';
import { moveBook } from './move-book.ts';
import { obtainToken } from './obtain-token.ts';
import type { Outcome } from './outcome.ts';
import { createProgress } from './progress.ts';
import type { DemoOptions } from './read-options.ts';
import { readStoredBook } from './read-stored-book.ts';
import { createRestClient } from './rest-client.ts';
import type { Screen } from './screen.ts';
import { createStaffClient, DEMO, setUpSupplier } from './set-up-supplier.ts';
import { summaryLines } from './summary.ts';
import { type Tally, tallyOf } from './tally.ts';

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

/**
 * Serves, moves the sample book and tells what became of it (design 6), then serves on until `stop`. Returns the exit
 * code: 1 where an answer was unexpected or the figures do not add up. Throws where the service cannot start.
 */
export async function runDemo(demo: Demo): Promise<number> {
  const { options, screen, stop } = demo;
  const environment = await demoEnvironment(demo.variables);
  screen.write(`\n  ${screen.paint('bold', 'Causeway')}: ${DEMO.organisation} moves ${options.accounts} accounts.\n`);
  const service = await startService(environment);
  try {
    const database = environment.databaseUrl ? 'the database of DATABASE_URL' : `data in ${environment.dataDirectory}`;
    screen.write(`  Serving at ${service.url}, ${database}\n`);
    const move = await moveSampleBook(demo, service, environment.staffApiKey);
    if (!move) {
      screen.write('\n  Stopped half way. Run it again: it goes on where it was.\n');
      return INTERRUPTED;
    }
    for (const line of summaryLines(move.tally, screen)) screen.write(`${line}\n`);
    if (move.tally.problems.length > 0) return 1;
    if (options.exit) return 0;
    for (const line of hintLines({ url: service.url, ...move }, screen)) screen.write(`${line}\n`);
    screen.write(`\n  ${screen.paint('bold', 'Serving until Ctrl-C.')}\n`);
    const failure = stop.aborted ? undefined : await Promise.race([once(stop, 'abort'), service.failure]);
    if (failure instanceof Error) throw failure;
    screen.write('\n  Stopping.\n');
    return 0;
  } finally {
    await service.stop();
  }
}

interface Move {
  token: string;
  outcomes: Outcome[];
  tally: Tally;
}

async function moveSampleBook(demo: Demo, service: Service, staffApiKey: string): Promise<Move | undefined> {
  const { options, screen, stop } = demo;
  const { url, database } = service;
  const staff = createStaffClient(url, await obtainToken(url, staffApiKey));
  const { apiKey, bookDate } = await setUpSupplier(staff);
  const { importSupplier, team: teamName } = DEMO;
  const book = sampleBook({ seed: SEED, importSupplier, teamName, accounts: options.accounts, bookDate });

  const before = await readStoredBook(database, importSupplier, book);
  const token = await obtainToken(url, apiKey);
  const client = createRestClient({ url, token });
  const skipAccount = async (external_account_number: string, reason: string) => {
    await staff.accountImports.skip.mutate({ code: importSupplier, external_account_number, reason });
  };
  const startedAt = performance.now();
  const progress = createProgress(screen, book.length);
  const outcomes = await moveBook({ client, importSupplier, skipAccount }, book, { stop, onMoved: progress.show });
  if (stop.aborted) return undefined;

  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  progress.end(`${client.requestCount().toLocaleString('en-GB')} requests, ${seconds} s`);
  const after = await readStoredBook(database, importSupplier, book);
  return { token, outcomes, tally: tallyOf(outcomes, before, after) };
}
