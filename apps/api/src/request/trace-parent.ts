/** What a caller says of the trace that its request belongs to (W3C Trace Context). */
export interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** Later versions may add fields behind these; `ff` is none. */
const TRACE_PARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The `traceparent` header; undefined if there is none, or one that is malformed, which is ignored. */
export function readTraceParent(header: unknown): TraceParent | undefined {
  if (typeof header !== 'string') return undefined;
  const [whole, version, traceId = '', spanId = '', flags = '', more] = TRACE_PARENT.exec(header) ?? [];
  if (whole === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
