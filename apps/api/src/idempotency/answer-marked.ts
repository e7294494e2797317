import type { ErrorCode } from '@causeway/contracts';
import { DomainError } from '@causeway/domain';
import { middlewareMarker } from '@trpc/server/unstable-core-do-not-import';
import { trpcErrorOf } from '../answers/trpc-errors.ts';
import { undocumentedFieldsHeader } from '../answers/undocumented-fields-header.ts';
import type { Context } from '../request/context.ts';
import type { SupplierField } from '../request/supplier-field.ts';
import { answerIdempotently, unusableKey } from './answer-idempotently.ts';

interface MarkedProcedure {
  successStatus?: number;
  /** The codes that are a 404 here. */
  notFound?: readonly ErrorCode[];
  /** It calls another service: no transaction may be open around it. */
  outsideTransaction?: boolean;
}

/** A call of a procedure that the client marked with an Idempotency-Key. */
export interface MarkedCall<Result> {
  key: string;
  path: string;
  /** The procedure's meta. */
  meta: MarkedProcedure | undefined;
  supplierField: SupplierField;
  ctx: Context;
  input: unknown;
  run: (context: Context) => Promise<Result>;
}

/**
 * Answers a marked call over tRPC (`answerIdempotently`). The kept answer has the form of REST: a repeat gets it over
 * either interface. Throws the call's error as tRPC's.
 */
export async function answerMarked<Result extends { ok: true; data: unknown }>(
  call: MarkedCall<Result>,
): Promise<Result> {
  const { key, path: procedurePath, meta, supplierField, ctx, input, run } = call;
  try {
    if (ctx.batched) throw unusableKey('A call with a key travels alone, not in a batch.');
    const { outsideTransaction } = meta ?? {};
    const marked = { procedurePath, supplierField, input, context: ctx, outsideTransaction };
    const kept = await answerIdempotently(key, marked, async (context) => {
      const { data } = await run(context);
      const status = ctx.response.status ?? meta?.successStatus ?? 200;
      return { status, headers: undocumentedFieldsHeader(ctx.response), body: JSON.stringify(data) };
    });
    ctx.response.replayedHeaders = kept.headers;
    const body = JSON.parse(kept.body);
    if (kept.status < 400) return { ok: true, data: body, marker: middlewareMarker } as unknown as Result;
    const { code, detail, errors, documentation_url: _, ...extra } = body;
    throw new DomainError(code, detail, { errors, extra });
  } catch (error) {
    throw trpcErrorOf(error, meta?.notFound);
  }
}
