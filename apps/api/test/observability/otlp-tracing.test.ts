import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEnvironment } from '../../src/env.ts';
import { readTraceParent } from '../../src/http/request-facts.ts';
import { createLogger } from '../../src/observability/logging.ts';
import type { Tracing } from '../../src/observability/tracing.ts';
import { Party } from '../../src/overload/party.ts';
import { openTracing } from '../../src/start/start.ts';
import { type Collector, startCollector } from '../support/start-collector.ts';
import { until } from '../support/test-service.ts';

const [TRACE, SPAN] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];

let collector: Collector;
const lines: string[] = [];
const logger = createLogger({ level: 'debug', stream: { write: (line) => lines.push(line) } });
beforeEach(async () => {
  collector = await startCollector();
  lines.length = 0;
});
afterEach(() => collector.close());

async function open(variables: Record<string, string> = {}): Promise<Required<Tracing>> {
  const environment = readEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...variables });
  return (await openTracing(environment, logger)) as Required<Tracing>;
}

/** The span of one request, in which one statement is sent. */
function request(tracing: Required<Tracing>, headers: Record<string, string> = {}): void {
  const facts = { requestId: 'r', party: new Party('test') };
  const span = tracing.beginRequest({ headers } as never, facts);
  span.within(() => tracing.statements.sent('find-key')(false));
  span.end(200, facts);
}

test('16.11 nothing is traced, and no library for it loaded, without an endpoint', async () => {
  const tracing = await openTracing(readEnvironment({ OTEL_SERVICE_NAME: 'x' }), logger);
  expect(tracing).toMatchObject({ run: expect.any(Function) });
  expect(tracing.beginRequest).toBeUndefined();
  expect(tracing.statements).toBeUndefined();
  expect(tracing.headers()).toEqual({});
});

test.each([
  ['always_on', '', 10, 10],
  ['always_off', '', 0, 0],
  ['traceidratio', '0', 0, 0],
  ['traceidratio', '1', 10, 10],
  ['parentbased_always_on', '', 10, 0],
  ['parentbased_always_off', '', 0, 0],
  ['parentbased_traceidratio', '0', 0, 0],
  ['parentbased_traceidratio', '1.0', 10, 0],
])(
  '16.11.3 %s of %s takes %i of 10 new traces, and %i of callers that do not record',
  async (name, ratio, own, theirs) => {
    const tracing = await open({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio });
    for (let requests = 0; requests < 10; requests += 1) {
      request(tracing);
      request(tracing, { traceparent: `00-${TRACE}-${SPAN}-00` });
    }
    await tracing.close();
    // Each request with its statement.
    const ofCallers = collector.spans.filter(({ traceId }) => traceId === TRACE);
    expect([collector.spans.length - ofCallers.length, ofCallers.length]).toEqual([2 * own, 2 * theirs]);
  },
);

test('16.11.3 the endpoint gets the headers and the name of the service', async () => {
  const tracing = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/otlp/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b, authorization=Basic YQ==',
    OTEL_SERVICE_NAME: 'causeway-north',
  });
  request(tracing);
  await tracing.close();
  expect(collector.headers).toMatchObject([
    { path: '/otlp/v1/traces', 'x-key': 'a b', authorization: 'Basic YQ==', 'content-type': 'application/json' },
  ]);
  expect(collector.bodies[0]).toContain('causeway-north');
});

test('16.11.4 what a slow collector does not take in time is dropped: memory is bounded', async () => {
  const tracing = await open();
  const answer = collector.hold();
  for (let requests = 0; requests < 3_000; requests += 1) request(tracing);
  await until(() => collector.headers.length > 0);
  answer();
  await tracing.close();
  // A batch on its way, and the queue.
  expect(collector.spans.length).toBeGreaterThan(512);
  expect(collector.spans.length).toBeLessThanOrEqual(512 + 2_048);
});

test('16.11.4 a collector that fails is logged once, without its answer', async () => {
  const failing = createServer((_request, response) => response.writeHead(400).end('Canary')).listen(0, '127.0.0.1');
  await until(() => failing.listening);
  const { port } = failing.address() as { port: number };
  const tracing = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  for (let requests = 0; requests < 1_000; requests += 1) request(tracing);
  await until(() => lines.length > 0);
  await tracing.close();
  failing.close();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', msg: 'traces_not_sent' }]);
  expect(lines.join()).not.toContain('Canary');
});

test.each([
  ['01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-comes-later', true],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00', true],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more', false],
  ['ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', false],
  ['00-00000000000000000000000000000000-b7ad6b7169203331-01', false],
  ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', false],
  ['00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01', false],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331', false],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, 00-a', false],
  ['', false],
  [undefined, false],
])('16.11.2 traceparent %s is read: %s', (header, isRead) => {
  expect(readTraceParent(header) !== undefined).toBe(isRead);
});
