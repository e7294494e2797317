import { openDatabase } from '@causeway/db';
import { TOKEN_SECRET } from '@causeway/testing';
import { afterAll } from 'vitest';
import { runLanes } from '../../src/bulk/run-lanes.ts';
import { readEnvironment } from '../../src/env.ts';
import { NO_TRACING } from '../../src/observability/tracing.ts';
import { connectPaymentVendors } from '../../src/start/prepare-domain.ts';
import { serviceOfFile, type TestService } from './test-service.ts';

/** For all tests of a file a service, with lanes in the thread of the test, which a thread of their own would load all code for again. */
export async function serviceWithLanes(clock = () => new Date()): Promise<TestService> {
  const service = await serviceOfFile();
  const environment = readEnvironment({ PAYMENT_VENDORS: 'SANDBOX', BULK_LANES: '2', WEBHOOK_LANES: '0' });
  const database = openDatabase({ url: service.databaseUrl, poolSize: 4 });
  const closing: (() => unknown)[] = [() => database.close()];
  const lanes = runLanes(environment, {
    database,
    clock,
    paymentVendors: await connectPaymentVendors({ environment, closing, tracing: NO_TRACING }),
    secrets: { secret: TOKEN_SECRET, otherSecret: undefined },
    report: {
      log: () => undefined,
      countLines: () => undefined,
      countChunk: () => undefined,
      countEmails: () => undefined,
      countMessage: () => undefined,
    },
  });
  // Before the service stops, which was there first.
  afterAll(async () => {
    await lanes.stop();
    for (const close of closing) await close();
  });
  return service;
}
