import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { accountKey } from '@causeway/domain';
import {
  type Attributes,
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Logger } from 'pino';
import { type RequestFacts, readTraceParent, requestIds } from '../http/request-facts.ts';
import type { TracingEnvironment } from '../tracing-environment.ts';
import { createSpanSink } from './span-sink.ts';
import type { RequestSpan, Tracing } from './tracing.ts';

/** The spans that what is being done belongs to: several while calls share a statement. */
type Parents = readonly Span[];

const CLOSED_AFTER_MS = 1_000;
const MAX_TRACE_STATE_LENGTH = 512;

/**
 * Spans are named by operations, statements and vendors, and carry ids: nothing of a payload, no value of a statement,
 * no name and no address. They are kept in memory until they are sent, 2,048 at most; what is too much is dropped.
 */
export function createOtlpTracing(environment: TracingEnvironment, logger: Logger): Tracing {
  const sink = createSpanSink(environment, logger);
  const { tracer } = sink;
  const parents = new AsyncLocalStorage<Parents>();
  const within = async <T>(span: Span, work: () => Promise<T>): Promise<T> => {
    try {
      return await parents.run([span], work);
    } catch (error) {
      fail(span, error instanceof Error ? error.name : 'Error');
      throw error;
    } finally {
      span.end();
    }
  };
  return {
    beginRequest: (request, facts) => requestSpan({ tracer, parents }, request.headers, facts),
    statements: tracedStatements(tracer, parents),
    askVendor(vendor, ask) {
      const [parent] = parents.getStore() ?? [];
      if (parent === undefined) return ask();
      const attributes = { 'peer.service': vendor };
      return within(tracer.startSpan(`ask ${vendor}`, { kind: SpanKind.CLIENT, attributes }, contextOf(parent)), ask);
    },
    headers() {
      const [parent] = parents.getStore() ?? [];
      return parent === undefined ? {} : headersOf(parent);
    },
    run: (name, work) => within(tracer.startSpan(name, { root: true }), work),
    close: () => Promise.race([sink.close(), delay(CLOSED_AFTER_MS)]),
  };
}

const contextOf = (parent: Span): Context => trace.setSpan(ROOT_CONTEXT, parent);

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}

function tracedStatements(tracer: Tracer, parents: AsyncLocalStorage<Parents>): NonNullable<Tracing['statements']> {
  return {
    sent(title) {
      const recording = (parents.getStore() ?? []).filter((parent) => parent.isRecording());
      if (recording.length === 0) return () => undefined;
      const attributes: Attributes = { 'db.system.name': 'postgresql', 'db.query.summary': title };
      if (recording.length > 1) attributes['causeway.shared_by'] = recording.length;
      const spans = recording.map((parent) =>
        tracer.startSpan(title, { kind: SpanKind.CLIENT, attributes }, contextOf(parent)),
      );
      return (failed) => {
        for (const span of spans) {
          if (failed) fail(span, '_OTHER');
          span.end();
        }
      };
    },
    sharing: {
      current: () => parents.getStore(),
      within: (callers, work) =>
        parents.run(
          (callers as (Parents | undefined)[]).flatMap((each) => each ?? []),
          work,
        ),
    },
  };
}

/** The parts of tracing that a request's span needs. */
interface Traced {
  tracer: Tracer;
  parents: AsyncLocalStorage<Parents>;
}

function requestSpan({ tracer, parents }: Traced, headers: Record<string, unknown>, facts: RequestFacts): RequestSpan {
  const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, callersContext(headers));
  facts.traceId = span.spanContext().traceId;
  return {
    within: (work) => parents.run([span], work),
    end(status, ended) {
      if (span.isRecording()) describe(span, status, ended);
      span.end();
    },
  };
}

function describe(span: Span, status: number, facts: RequestFacts): void {
  const { procedure = 'other', errorCode, subject } = facts;
  const ids = requestIds(facts);
  span.updateName(procedure).setAttributes({
    'causeway.operation': procedure,
    'causeway.request_id': ids.request_id,
    'http.response.status_code': status,
  });
  if (subject !== undefined) {
    const { importSupplier, accountNumber } = subject;
    span.setAttribute('causeway.import_supplier', importSupplier);
    if (typeof accountNumber === 'string') {
      span.setAttribute('causeway.account_import_id', accountKey(importSupplier, accountNumber).id);
    }
  }
  if (errorCode !== undefined) span.setAttribute('error.type', errorCode);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}

function callersContext({ traceparent, tracestate }: Record<string, unknown>): Context {
  const parent = readTraceParent(traceparent);
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = parent;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const isUsable = typeof tracestate === 'string' && tracestate.length <= MAX_TRACE_STATE_LENGTH;
  const state = isUsable ? { traceState: createTraceState(tracestate) } : {};
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true, ...state });
}

function headersOf(span: Span): Record<string, string> {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const flags = traceFlags === TraceFlags.SAMPLED ? '01' : '00';
  const state = traceState?.serialize() ?? '';
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(state !== '' && { tracestate: state }) };
}
