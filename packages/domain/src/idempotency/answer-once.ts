import { randomUUID } from 'node:crypto';
import { type Database, databaseWithin, type Queryable, type RowOf, sql } from '@causeway/db';
import type { Context, OutsideTransaction } from '../shared/context.ts';
import { derivedId } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';
import { CLAIM_KEY, KEEP_ANSWER, READ_KEPT_ANSWER, RELEASE_KEY } from './answer-once.sql.ts';
import { leavingTransactions } from './leave-transaction.ts';

/** Small enough that no other call waits noticeably for the locks of one statement. */
const PURGED_AT_ONCE = 1_000;

/**
 * Deletes every kept answer after its 24 hours. Each new key removes a few old ones; this covers times without new
 * keys. Safe to run concurrently with everything else, including other instances' purges.
 */
export async function purgeExpiredAnswers(database: Database, now: Date): Promise<void> {
  for (;;) {
    const purged = await database.query(PURGE_EXPIRED_ANSWERS, { now, limit: PURGED_AT_ONCE });
    if (purged.length < PURGED_AT_ONCE) return;
  }
}

const PURGE_EXPIRED_ANSWERS = sql('purge-idempotency-keys', { id: 'uuid' })`
  DELETE FROM idempotency_keys
  WHERE id IN (
    SELECT id
    FROM idempotency_keys
    WHERE expires_at < ${'now'}
    ORDER BY expires_at
    LIMIT ${'limit'}
    FOR UPDATE SKIP LOCKED
  )
  RETURNING id`;

/** An answer as it was sent; it is replayed byte for byte. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request marked with an Idempotency-Key. */
export interface MarkedRequest {
  key: string;
  /**
   * SHA-256 over everything that identifies the request: a different digest with the same key is a different request.
   */
  digest: Buffer;
  /** The account whose data the answer may contain: the answer is removed when the account is erased. */
  accountImportId?: string | undefined;
}

export interface AnswerOnceOptions {
  /** The work calls another service: no transaction is open meanwhile, and the answer is stored after it. */
  outsideTransaction: boolean;
}

export const KEPT_FOR_MS = 24 * 60 * 60 * 1000;
/** Longer than any request takes. After a crash the key is free again after this time. */
const CLAIMED_FOR_MS = 30_000;

/** The row of a key, and the token of the one request that is working on it. */
interface ClaimedKey {
  id: string;
  claim: string;
}

/**
 * Does the work of a marked request once: the first answer is kept for 24 hours, per organisation, in the same
 * transaction as the work's effect, and replayed to every repeat. An error thrown by `work` is not kept and rolls its
 * effect back: the request may be repeated. `work` may run several times: again each time that its transaction is
 * rolled back. Refuses with `idempotency_key_reused` (a different request has this key) and
 * `idempotency_key_in_progress`.
 */
export async function answerOnce(
  context: Context,
  { request, outsideTransaction }: { request: MarkedRequest } & AnswerOnceOptions,
  work: (context: Context) => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  const { database } = context;
  const key: ClaimedKey = { id: keyId(context, request), claim: randomUUID() };
  try {
    if (await claimKey(context, key, request)) {
      return await (outsideTransaction
        ? keep(database, key, await work(context))
        : workInTransaction(context, key, work));
    }
  } catch (error) {
    // After a COMMIT without an answer this waits for its outcome, and does not touch an answer that was kept. It is a
    // transaction, because those are retried: what broke one connection has often broken the idle ones too.
    const release = (transaction: Queryable) => transaction.query(RELEASE_KEY, key);
    await database.transaction(release).catch(() => undefined);
    throw error;
  }
  const kept = await readKey(context, request);
  if (kept === undefined || kept.status === null) throw inProgress();
  return answerOf(kept);
}

/**
 * The answer that is kept for the request, without doing it; undefined if none exists, because the key is new or its
 * first request died. Refuses like `answerOnce`.
 */
export async function findKeptAnswer(context: Context, request: MarkedRequest): Promise<KeptAnswer | undefined> {
  const kept = await readKey(context, request);
  if (kept?.in_progress) throw inProgress();
  return kept === undefined || kept.status === null ? undefined : answerOf(kept);
}

function keyId({ actor }: Context, { key }: MarkedRequest): string {
  return derivedId('idempotency_key', actor.kind === 'organisation' ? actor.organisationId : 'staff', key);
}

async function claimKey(
  { database, clock }: Context,
  { id, claim }: ClaimedKey,
  request: MarkedRequest,
): Promise<boolean> {
  const now = clock();
  const claimed = await database.query(CLAIM_KEY, {
    id,
    claim,
    now,
    claimed_until: new Date(now.getTime() + CLAIMED_FOR_MS),
    expires_at: new Date(now.getTime() + KEPT_FOR_MS),
    request_digest: request.digest,
    account_import_id: request.accountImportId ?? null,
  });
  return claimed.length > 0;
}

async function workInTransaction(
  context: Context,
  key: ClaimedKey,
  work: (context: Context) => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  const { database } = context;
  const afterUndoing: ((outside: Context) => Promise<void>)[] = [];
  const attempt = (outsideTransaction: OutsideTransaction) =>
    database.transaction(async (transaction) => {
      afterUndoing.length = 0;
      const answer = await work({
        ...context,
        database: databaseWithin(database, transaction),
        outsideTransaction,
        ifUndone: (write) => afterUndoing.push(write),
      });
      return keep(transaction, key, answer);
    });
  try {
    return await leavingTransactions(context, attempt);
  } catch (error) {
    for (const write of afterUndoing) await write(context);
    throw error;
  }
}

/** Refuses a holder whose key was taken over meanwhile, so that its transaction has no effect. */
async function keep(queryable: Queryable, { id, claim }: ClaimedKey, answer: KeptAnswer): Promise<KeptAnswer> {
  const { status, headers, body } = answer;
  const kept = await queryable.query(KEEP_ANSWER, { id, claim, status, headers: JSON.stringify(headers), body });
  if (kept.length === 0) {
    throw inProgress();
  }
  return answer;
}

type KeptRow = RowOf<typeof READ_KEPT_ANSWER>;

async function readKey(context: Context, request: MarkedRequest): Promise<KeptRow | undefined> {
  const { database, clock } = context;
  const [row] = await database.query(READ_KEPT_ANSWER, { id: keyId(context, request), now: clock() });
  if (row !== undefined && !row.request_digest.equals(request.digest)) {
    throw new DomainError(
      'idempotency_key_reused',
      'Another request was sent with this Idempotency-Key: a new request needs a new key.',
    );
  }
  return row;
}

function answerOf({ status, headers, body }: KeptRow): KeptAnswer {
  return { status: status ?? 0, headers: headers ?? {}, body: body ?? '' };
}

function inProgress(): DomainError {
  return new DomainError(
    'idempotency_key_in_progress',
    'A request with this Idempotency-Key is still running: send it again later to get its answer.',
  );
}
