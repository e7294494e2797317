import type { Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { buildInfo } from '../build-info.ts';
import type { TracingEnvironment } from '../tracing-environment.ts';

/** Makes spans, and sends those that are over to the collector, in batches every few seconds. */
export interface SpanSink {
  tracer: Tracer;
  close(): Promise<void>;
}

export function createSpanSink(environment: TracingEnvironment, logger: Logger): SpanSink {
  const { url, headers, serviceName } = environment;
  const exporter = tellingOfFailures(new OTLPTraceExporter({ url, headers }), logger);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': buildInfo.version }),
    sampler: samplerOf(environment),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  return {
    tracer: provider.getTracer('causeway'),
    // What cannot be sent is dropped, as before.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

function samplerOf({ sampler, samplerRatio }: TracingEnvironment): Sampler {
  const [, isParentBased, name] = /^(parentbased_)?(.*)$/.exec(sampler) ?? [];
  const root = rootSampler(name, samplerRatio);
  return isParentBased === undefined ? root : new ParentBasedSampler({ root });
}

function rootSampler(name: string | undefined, ratio: number): Sampler {
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(ratio);
  return name === 'always_off' ? new AlwaysOffSampler() : new AlwaysOnSampler();
}

/** A collector that is down is said once, and not for each batch; the exporter itself says nothing. */
function tellingOfFailures(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined;
        if (hasFailed && !isFailing) logger.warn({ error: result.error }, 'traces_not_sent');
        isFailing = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
