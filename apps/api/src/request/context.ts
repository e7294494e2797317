import type { UndocumentedFields } from '@causeway/contracts';
import type { Context as DomainContext, KeptAnswer, SignReport, WebhookSettings } from '@causeway/domain';
import type { RequestSubject } from './request-facts.ts';

/** What a procedure and its middleware set on the HTTP response, besides the body. */
export interface ResponseNotes {
  /** Replaces the procedure's usual success status. */
  status?: number;
  /** Of a list: what the request of the next page has beside its limit; absent on the last page. */
  nextPage?: Record<string, string | number | undefined> | undefined;
  /** The page is empty, and yet there is a next one. */
  isEmptyPage?: boolean;
  /** The undocumented input (behaviour 2.2.9); absent if there is none. */
  undocumentedFields?: UndocumentedFields | undefined;
  /** The answer kept under the call's Idempotency-Key: this is what is sent, the first time and to repeats. */
  kept?: KeptAnswer;
}

/** Runs the calls of one batch; each gets the same answer as alone. `data` is the output of a call. */
export type InBatch = <T extends object>(call: () => Promise<T & { data?: unknown }>) => Promise<T>;

/** The context of every procedure: the use cases' context, and where to set properties of the response. */
export interface Context extends DomainContext {
  response: ResponseNotes;
  /** Undocumented REST input outside the procedure's input, for instance in the query. */
  undocumentedParameters: readonly string[];
  /** Runs a call of a tRPC batch when its turn comes; absent for a single call. */
  inBatch?: InBatch | undefined;
  /** Signs the report of a reconciliation. */
  signReport: SignReport;
  webhooks: WebhookSettings;
  /** Makes this instance look an API key up again at its next use. */
  forgetApiKey: (id: string) => void;
  /** Does the work of a call that has an Idempotency-Key once; absent without one. */
  once?: (<Data>(work: (context: Context) => Promise<Data>) => Promise<Data>) | undefined;
  /** If the request is very large: waits for the turn of the next step of the work on it. */
  nextStep?: (() => Promise<void>) | undefined;
  /** The Idempotency-Key of the request. */
  idempotencyKey?: string | undefined;
  /** Names what a single call is about, for the log and the metrics. */
  noteSubject?: ((subject: RequestSubject) => void) | undefined;
  /** The request has other calls too. */
  batched?: boolean | undefined;
}
