import type { Context as DomainContext } from '@causeway/domain';

/** What a procedure and its middleware say about the HTTP response, beside the body. */
export interface ResponseNotes {
  /** In place of the procedure's usual success status. */
  status?: number;
  /** Dotted paths of what was sent and is not documented (behaviour 7.2). */
  undocumentedFields: string[];
  /** The headers of an answer that was given before. */
  replayedHeaders?: Record<string, string>;
}

/** Runs the calls of one batch; each gets what it would get alone. `data` is what a call answers. */
export type InBatch = <T extends object>(call: () => Promise<T & { data?: unknown }>) => Promise<T>;

/** What every procedure gets: the use cases' context, and where to note what the response should show. */
export interface Context extends DomainContext {
  response: ResponseNotes;
  /** What REST was sent beside the input, in the query for instance, and is not documented there. */
  undocumentedParameters: readonly string[];
  /** Runs a call of a tRPC batch when it is its turn; absent for a call that came alone. */
  inBatch?: InBatch | undefined;
  /** Makes this instance look an API key up again at its next use. */
  forgetApiKey: (id: string) => void;
  /** The Idempotency-Key of a request over tRPC; over REST the mount sees to it. */
  idempotencyKey?: string | undefined;
  /** The request brings other calls too. */
  batched?: boolean | undefined;
}
