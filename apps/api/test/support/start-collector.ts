import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as the collector got it. */
export interface CollectedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  /** 3 for what calls somebody else, 2 for what is called, 1 for the rest. */
  kind: number;
  attributes: Record<string, unknown>;
  hasFailed: boolean;
}

export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** Each body, as it was sent. */
  bodies: string[];
  headers: Record<string, unknown>[];
  /** From now on nothing is answered until the returned function is called. */
  hold(): () => void;
  close(): void;
}

interface OtlpSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
}

interface OtlpBody {
  resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
}

const FAILED = 2;

/** What receives traces in OTLP over HTTP, as JSON. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const headers: Record<string, unknown>[] = [];
  let held: Promise<void> = Promise.resolve();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    headers.push({ ...request.headers, path: request.url });
    await held;
    bodies.push(body);
    const { resourceSpans } = JSON.parse(body) as OtlpBody;
    const sent = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    spans.push(...sent.map(collected));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    close: () => server.close().closeAllConnections(),
  };
}

function collected({ name, traceId, spanId, parentSpanId, kind, attributes, status }: OtlpSpan): CollectedSpan {
  const values = attributes.map(({ key, value }) => [key, Object.values(value)[0]] as const);
  const hasFailed = status.code === FAILED;
  return {
    name,
    traceId,
    spanId,
    parentSpanId: parentSpanId || undefined,
    kind,
    hasFailed,
    attributes: Object.fromEntries(values),
  };
}
