import { randomUUID } from 'node:crypto';
import { databaseWithin, type Queryable, statement } from '@causeway/db';
import type { Context } from '../context.ts';
import { derivedId } from '../derived-id.ts';
import { DomainError } from '../errors.ts';

/** An answer as it went out; it is replayed byte by byte. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What a client marked with its Idempotency-Key. */
export interface MarkedRequest {
  key: string;
  /** SHA-256 over all that makes the request what it is: another digest under the same key is another request. */
  digest: Buffer;
  /** The same of the version before, which a key may still be kept with. */
  formerDigest: Buffer;
  /** Of the account that the answer may tell of: it goes when the account is erased. */
  accountImportId?: string | undefined;
}

export interface AnswerOnceOptions {
  /** The work asks another service: no transaction is open meanwhile, and the answer is kept after it. */
  outsideTransaction: boolean;
}

const KEPT_FOR_MS = 24 * 60 * 60 * 1000;
/** Longer than any request takes. After a crash the key is free again when this is over. */
const CLAIMED_FOR_MS = 30_000;

const CLAIM = statement(
  'claim-idempotency-key',
  `WITH expired AS (
    DELETE FROM idempotency_keys WHERE id IN (
      SELECT id FROM idempotency_keys WHERE expires_at < $5 AND id <> $1 ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED
    )
  ),
  claimed AS (
    INSERT INTO idempotency_keys AS kept (id, request_digest, claim, claimed_until, expires_at, account_import_id)
    VALUES ($1, $2, $3, $4, $6, $7)
    ON CONFLICT (id) DO UPDATE SET request_digest = excluded.request_digest, claim = excluded.claim,
      claimed_until = excluded.claimed_until, expires_at = excluded.expires_at,
      account_import_id = excluded.account_import_id, status = NULL, headers = NULL, body = NULL
    WHERE kept.expires_at < $5
      OR (kept.status IS NULL AND kept.claimed_until < $5 AND kept.request_digest IN ($2, $8))
    RETURNING id
  )
  SELECT FROM claimed`,
);
const READ = statement(
  'read-idempotency-key',
  'SELECT request_digest, status, headers, body FROM idempotency_keys WHERE id = $1',
);
const KEEP = statement(
  'keep-idempotent-answer',
  `UPDATE idempotency_keys SET status = $3, headers = $4, body = $5
  WHERE id = $1 AND claim = $2 AND status IS NULL RETURNING id`,
);
const RELEASE = statement(
  'release-idempotency-key',
  'DELETE FROM idempotency_keys WHERE id = $1 AND claim = $2 AND status IS NULL',
);

/** The row of a key, and the token of the one request that works at it. */
interface ClaimedKey {
  id: string;
  claim: string;
}

interface KeptRow {
  request_digest: Buffer;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
}

/**
 * Does the work of a marked request once: the first answer is kept for 24 hours, per organisation, in the same
 * transaction as the work's effect, and replayed to every repeat. What `work` throws is not kept and undoes its effect:
 * the request may be sent again. `work` may run up to 5 times.
 * Refuses with `idempotency_key_reused` (another request has this key) and `idempotency_key_in_progress`.
 */
export async function answerOnce(
  context: Context,
  { request, outsideTransaction }: { request: MarkedRequest } & AnswerOnceOptions,
  work: (context: Context) => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  const { database, actor } = context;
  const scope = actor.kind === 'supplier' ? actor.organisationId : 'staff';
  const key: ClaimedKey = { id: derivedId('idempotency_key', scope, request.key), claim: randomUUID() };
  try {
    if (await claimKey(context, key, request)) {
      return await (outsideTransaction
        ? keep(database, key, await work(context))
        : workInTransaction(context, key, work));
    }
  } catch (error) {
    // After a COMMIT without an answer this waits for its outcome, and leaves an answer that was kept. As a transaction,
    // since that is tried again: what broke one connection has often broken those that lie idle.
    const release = (transaction: Queryable) => transaction.query(RELEASE, [key.id, key.claim]);
    await database.transaction(release).catch(() => undefined);
    throw error;
  }
  return replay(context, key.id, request);
}

async function claimKey(
  { database, clock }: Context,
  { id, claim }: ClaimedKey,
  request: MarkedRequest,
): Promise<boolean> {
  const now = clock();
  const [until, expiry] = [CLAIMED_FOR_MS, KEPT_FOR_MS].map((ms) => new Date(now.getTime() + ms));
  const { digest, formerDigest, accountImportId = null } = request;
  const values = [id, digest, claim, until, now, expiry, accountImportId, formerDigest];
  const claimed = await database.query(CLAIM, values);
  return claimed.length > 0;
}

async function workInTransaction(
  context: Context,
  key: ClaimedKey,
  work: (context: Context) => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  const { database } = context;
  const afterUndoing: ((outside: Context) => Promise<void>)[] = [];
  try {
    return await database.transaction(async (transaction) => {
      afterUndoing.length = 0;
      const answer = await work({
        ...context,
        database: databaseWithin(database, transaction),
        ifUndone: (write) => afterUndoing.push(write),
      });
      return keep(transaction, key, answer);
    });
  } catch (error) {
    for (const write of afterUndoing) await write(context);
    throw error;
  }
}

/** A holder whose key was taken over meanwhile is refused, so that its transaction has no effect. */
async function keep(queryable: Queryable, { id, claim }: ClaimedKey, answer: KeptAnswer): Promise<KeptAnswer> {
  const { status, headers, body } = answer;
  const kept = await queryable.query(KEEP, [id, claim, status, JSON.stringify(headers), body]);
  if (kept.length === 0) {
    throw inProgress();
  }
  return answer;
}

async function replay({ database }: Context, id: string, { digest, formerDigest }: MarkedRequest): Promise<KeptAnswer> {
  const [row] = await database.query<KeptRow>(READ, [id]);
  if (row !== undefined && ![digest, formerDigest].some((known) => row.request_digest.equals(known))) {
    throw new DomainError(
      'idempotency_key_reused',
      'Another request was sent with this Idempotency-Key: a new request needs a new key.',
    );
  }
  if (row === undefined || row.status === null) {
    throw inProgress();
  }
  return { status: row.status, headers: row.headers ?? {}, body: row.body ?? '' };
}

function inProgress(): DomainError {
  return new DomainError(
    'idempotency_key_in_progress',
    'A request with this Idempotency-Key is still running: send it again later to get its answer.',
  );
}
