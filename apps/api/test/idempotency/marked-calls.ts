import { randomUUID } from 'node:crypto';
import type { RestAnswer, TestService, TestSupplier } from '../support/test-service.ts';

export const STAGE = 'account-import-process/create-or-update/';
export const PROCESS = 'account-import-process/process/';

/** A call that the client marked with a key, to be made as often as the test likes. */
export interface MarkedCall {
  key: string;
  send(): Promise<RestAnswer>;
}

/** Marks a POST below /v1/data-import/ with an Idempotency-Key, a new one unless given. */
export function marked(
  { post }: Pick<TestSupplier, 'post'>,
  path: string,
  { body, key = randomUUID() }: { body: unknown; key?: string },
): MarkedCall {
  return { key, send: () => post(path, body, { 'Idempotency-Key': key }) };
}

/** What a client sees of an answer, but for the headers that belong to the one connection and request. */
export function seen({ status, body, headers }: RestAnswer) {
  const own = new Set(['date', 'connection', 'keep-alive', 'x-request-id']);
  return { status, body, headers: [...headers].filter(([name]) => !own.has(name)) };
}

/** How many answers are kept, or being worked at. */
export function keptAnswers({ database }: TestService): Promise<number> {
  return database.prisma.idempotencyKey.count();
}
