import type { IncomingMessage } from 'node:http';
import type { StatementObserver } from '@causeway/db';
import type { RequestFacts } from '../http/request-facts.ts';

/** The span of a request. */
export interface RequestSpan {
  /** What is done in it belongs to the request, also what it awaits. */
  within(work: () => void): void;
  end(status: number, facts: RequestFacts): void;
}

/** Tells a collector what was done for which request, and how long it took. */
export interface Tracing {
  /** Begins the span of a request, as part of the caller's trace if it names one. Absent: nothing is traced. */
  beginRequest?: (request: IncomingMessage, facts: RequestFacts) => RequestSpan;
  /** Adds a span to each statement of a traced request. */
  statements?: StatementObserver;
  /** Asks a vendor, as part of the request that is being handled. */
  askVendor<T>(vendor: string, ask: () => Promise<T>): Promise<T>;
  /** The headers that tell a vendor which trace a call belongs to. */
  headers(): Record<string, string>;
  /** Does background work, as a trace of its own. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Sends what is left, for a second at most. */
  close(): Promise<void>;
}

/** Nothing is traced. */
export const NO_TRACING: Tracing = {
  askVendor: (_vendor, ask) => ask(),
  headers: () => ({}),
  run: (_name, work) => work(),
  close: async () => undefined,
};

/** Tells both of each statement. */
export function bothObservers(one: StatementObserver, other: StatementObserver | undefined): StatementObserver {
  if (other === undefined) return one;
  return {
    ...other,
    sent(title) {
      const [oneIsOver, otherIsOver] = [one.sent(title), other.sent(title)];
      return (failed) => {
        oneIsOver(failed);
        otherIsOver(failed);
      };
    },
  };
}
