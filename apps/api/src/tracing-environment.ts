import { z } from 'zod';
import { decodeComponent } from './http/decode-component.ts';

/** Where traces go, and which: as the variables of OpenTelemetry say. */
export interface TracingEnvironment {
  /** Of OTLP over HTTP, for traces. */
  url: string;
  headers: Record<string, string>;
  serviceName: string;
  sampler: Sampler;
  /** The share of traces that are recorded, for the samplers with a ratio. */
  samplerRatio: number;
}

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
type Sampler = (typeof SAMPLERS)[number];

/** Everything after the first `=` is the value. */
const HEADER = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=([^,\r\n]*)$/;

export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().refine(isPlainUrl, 'must be an http or https URL without user').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().refine(hasHeaders, 'must be name=value, separated by commas').optional(),
  OTEL_SERVICE_NAME: z.string().min(1).default('causeway'),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS, `must be one of ${SAMPLERS.join(', ')}`).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0|1|0?\.\d+|0\.|1\.0*)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1),
};

/** Undefined without an endpoint: nothing is traced then. */
export function tracingEnvironment(
  data: z.output<z.ZodObject<typeof tracingVariables>>,
): TracingEnvironment | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = '' } = data;
  if (endpoint === undefined) return undefined;
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: Object.fromEntries(headersOf(headers).map(([, name, value]) => [name, decodeURIComponent(value.trim())])),
    serviceName: data.OTEL_SERVICE_NAME,
    sampler: data.OTEL_TRACES_SAMPLER,
    samplerRatio: data.OTEL_TRACES_SAMPLER_ARG,
  };
}

function isPlainUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === '';
}

function headersOf(text: string): [string, string, string][] {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return parts.map((part) => (HEADER.exec(part) ?? ['', '', '%']) as [string, string, string]);
}

function hasHeaders(text: string): boolean {
  return headersOf(text).every(([, , value]) => decodeComponent(value) !== undefined);
}
