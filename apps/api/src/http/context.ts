import type { ServerResponse } from 'node:http';
import type { UndocumentedFields } from '@causeway/contracts';
import type { Context as DomainContext, SignReport, TemplateRenderer, WebhookSettings } from '@causeway/domain';
import type { AppDependencies } from './app-dependencies.ts';
import { type RequestSubject, requestFacts } from './request-facts.ts';

/** What a procedure and its middleware set on the HTTP response, besides the body. */
export interface ResponseNotes {
  /** Replaces the procedure's usual success status. */
  status?: number;
  /** Of a list: what the request of the next page has beside its limit; absent on the last page. */
  nextPage?: Record<string, string | number | undefined> | undefined;
  /** The page is empty, and yet there is a next one. */
  isEmptyPage?: boolean;
  /** The undocumented input (behaviour 2.2.9); absent if nothing is. */
  undocumentedFields?: UndocumentedFields | undefined;
  /** What is doubtful about the input and accepted: how often, by code and field; absent if nothing is. */
  remarks?: Map<string, number>;
  /** The headers of a kept reply, which are complete. */
  keptHeaders?: Record<string, string>;
}

/** The context of every procedure: the use cases' context, and where to set properties of the response. */
export interface Context extends DomainContext {
  response: ResponseNotes;
  /** Undocumented REST input outside the procedure's input, for instance in the query. */
  undocumentedParameters: readonly string[];
  /** Signs the report of a reconciliation. */
  signReport: SignReport;
  webhooks: WebhookSettings;
  /** Tries the templates of e-mails. */
  templates: TemplateRenderer;
  /** Makes this instance look an API key up again at its next use. */
  forgetApiKey: (id: string) => void;
  /** If the request is very large: waits for the turn of the next step of the work on it. */
  nextStep?: (() => Promise<void>) | undefined;
  /** The Idempotency-Key of the request. */
  idempotencyKey?: string | undefined;
  /** Names what a single call is about, for the log and the metrics. */
  noteSubject?: ((subject: RequestSubject) => void) | undefined;
  /** The request has other calls too. */
  batched?: boolean | undefined;
}

/** What a large answer counts as: a body of this size. */
const LARGE_ANSWER_BYTES = 1_000_000;

/** The context of the request that is answered. */
export function contextFor(dependencies: AppDependencies, response: ServerResponse): Context {
  const { domain, authenticator, admission, connections, signReport, webhooks, limits } = dependencies;
  const facts = requestFacts(response);
  const { actor, requestId, callerRequestId, party } = facts;
  if (actor === undefined) {
    throw new Error('A procedure was reached without authentication');
  }
  return {
    ...domain,
    database: connections.databaseOf(party),
    waitOutside: (wait) => admission.waitWithoutWork(response, wait),
    countAsLarge: async () => admission.countWork(response, LARGE_ANSWER_BYTES),
    waitForTurn: () => limits.takeTurn(party),
    nextStep: facts.nextStep,
    actor,
    requestId,
    callerRequestId,
    response: {},
    noteSubject(subject) {
      facts.subject = subject;
    },
    undocumentedParameters: [],
    signReport,
    webhooks,
    forgetApiKey: authenticator.forget,
  };
}
