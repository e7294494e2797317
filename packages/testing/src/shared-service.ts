import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startMailServer } from './start-mail-server.ts';
import { startServiceProcess } from './start-service-process.ts';
import { urlOfDatabase, urlOfRole } from './test-server.ts';

/** What `inject('sharedService')` gives a test. */
export interface SharedService {
  url: string;
  /** Of the owner. */
  databaseUrl: string;
  staffApiKey: string;
}

/** Whatever is sent there is refused, each time. */
export const REFUSED_ADDRESS = 'refused@mailbox.example';

declare module 'vitest' {
  interface ProvidedContext {
    sharedService: SharedService;
  }
}

/**
 * vitest's global set-up, after that of `global-setup.ts`: one service for all test files of a package, with lanes, a
 * payment vendor that always agrees, and a mail server that takes all but `REFUSED_ADDRESS`. Each test makes an organisation of its own.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, template, service, prefix } = project.getProvidedContext().testServer;
  const name = `${prefix}shared`;
  await onServer(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const databaseUrl = urlOfDatabase(url, name);
  const staffApiKey = randomBytes(24).toString('hex');
  const mailServer = await startMailServer();
  mailServer.behaveFor(REFUSED_ADDRESS, { kind: 'refuse', at: 'DATA', answer: '554 5.7.1 We do not want it' });
  const started = await startServiceProcess({
    DATABASE_URL: urlOfRole(databaseUrl, service),
    STAFF_API_KEY: staffApiKey,
    PAYMENT_VENDORS: 'SANDBOX',
    SMTP_URL: mailServer.url,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
    LOG_LEVEL: 'error',
    // What is slow on a busy machine is no overload.
    MAX_EVENT_LOOP_DELAY_MS: '60000',
    MAX_EXPECTED_WAIT_MS: '60000',
    DATABASE_ACQUIRE_TIMEOUT_MS: '60000',
  });
  project.provide('sharedService', { url: started.url, databaseUrl, staffApiKey });
  return async () => {
    await started.terminate();
    await mailServer.close();
  };
}

async function onServer(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}
