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
    INSERT INTO idempotency_keys AS kept (id, request_digest, claim, claimed_until, expires_at)
    VALUES ($1, $2, $3, $4, $6)
    ON CONFLICT (id) DO UPDATE SET request_digest = excluded.request_digest, claim = excluded.claim,
      claimed_until = excluded.claimed_until, expires_at = excluded.expires_at,
      status = NULL, headers = NULL, body = NULL
    WHERE kept.expires_at < $5
      OR (kept.status IS NULL AND kept.claimed_until < $5 AND kept.request_digest = excluded.request_digest)
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

interface KeptRow {
  request_digest: Buffer;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
}

/**
 * Does the work of a marked request once: the first answer is kept for 24 hours, per organisation, in the same
 * transaction as the work's effect, and replayed to every repeat. What `work` throws is not kept and undoes its effect:
 * the request may be sent again.
 * Refuses with `idempotency_key_reused` (another request has this key) and `idempotency_key_in_progress`.
 */
export async function answerOnce(
  context: Context,
  { request, outsideTransaction }: { request: MarkedRequest } & AnswerOnceOptions,
  work: (context: Context) => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  const { database, clock, actor } = context;
  const id = derivedId('idempotency_key', actor.kind === 'supplier' ? actor.organisationId : 'staff', request.key);
  const claim = randomUUID();
  const now = clock();
  const [until, expiry] = [CLAIMED_FOR_MS, KEPT_FOR_MS].map((ms) => new Date(now.getTime() + ms));
  const claimed = await database.query(CLAIM, [id, request.digest, claim, until, now, expiry]);
  if (claimed.length === 0) {
    return replay(context, id, request);
  }
  const keep = async (queryable: Queryable, answer: KeptAnswer): Promise<KeptAnswer> => {
    const values = [id, claim, answer.status, JSON.stringify(answer.headers), answer.body];
    const kept = await queryable.query(KEEP, values);
    if (kept.length === 0) {
      throw inProgress();
    }
    return answer;
  };
  try {
    if (outsideTransaction) {
      return await keep(database, await work(context));
    }
    return await database.transaction(async (transaction) =>
      keep(transaction, await work({ ...context, database: databaseWithin(database, transaction) })),
    );
  } catch (error) {
    await database.query(RELEASE, [id, claim]).catch(() => undefined);
    throw error;
  }
}

async function replay({ database }: Context, id: string, { digest }: MarkedRequest): Promise<KeptAnswer> {
  const [row] = await database.query<KeptRow>(READ, [id]);
  if (row !== undefined && !row.request_digest.equals(digest)) {
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
