import { randomBytes } from 'node:crypto';
import { startServiceProcess } from '@causeway/testing';
import pg from 'pg';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    sharedService: { url: string; databaseUrl: string; staffApiKey: string };
  }
}

/**
 * vitest's global set-up: one service for all test files of the command line, with lanes and a payment vendor that
 * always agrees. Each test makes an organisation of its own.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, template, service, prefix } = project.getProvidedContext().testServer;
  const name = `${prefix}cli`;
  await onServer(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const databaseUrl = new URL(url);
  databaseUrl.pathname = `/${name}`;
  const ofRole = new URL(databaseUrl);
  Object.assign(ofRole, { username: service.role, password: service.password });
  const staffApiKey = randomBytes(24).toString('hex');
  const started = await startServiceProcess({
    DATABASE_URL: ofRole.href,
    STAFF_API_KEY: staffApiKey,
    PAYMENT_VENDORS: 'SANDBOX',
    LOG_LEVEL: 'error',
    // What is slow on a busy machine is no overload.
    MAX_EVENT_LOOP_DELAY_MS: '60000',
    MAX_EXPECTED_WAIT_MS: '60000',
  });
  project.provide('sharedService', { url: started.url, databaseUrl: databaseUrl.href, staffApiKey });
  return async () => {
    await started.terminate();
  };
}

async function onServer(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}
