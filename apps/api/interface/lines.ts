import type { oas31 } from 'zod-openapi';

type Part = Record<string, unknown>;
/** Which way a schema goes: what clients send, what they get, or both. */
type Way = 'sent' | 'got' | 'both';

const RULES = ['format', 'const', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'];

/**
 * The interface in one line an operation, parameter, body, answer, header, code and field, sorted: a change of it is a
 * change of these lines (behaviour 9.3). Texts and examples have none.
 */
export function interfaceLines(document: oas31.OpenAPIObject): string[] {
  const resolved = (part: unknown): Part => {
    const { $ref } = part as { $ref?: string };
    if ($ref === undefined) return part as Part;
    return $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Part)[key], document) as Part;
  };
  const operations = [...operationsOf(document.paths), ...operationsOf(document.webhooks, 'webhook')];
  const lines = operations.flatMap((operation) => linesOfOperation(operation, resolved));
  const ways = waysOf(operations, resolved);
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    lines.push(...linesOfSchema(name, schema, ways.get(name) ?? 'both'));
  }
  return [...new Set(lines)].sort();
}

interface Operation {
  id: string;
  place: string;
  operation: Part;
}

function operationsOf(paths: unknown, prefix = ''): Operation[] {
  return Object.entries((paths ?? {}) as Record<string, Part>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId } = operation as { operationId: string };
      return { id: operationId, place: `${prefix || method.toUpperCase()} ${path}`, operation: operation as Part };
    }),
  );
}

function linesOfOperation({ id, place, operation }: Operation, resolved: (part: unknown) => Part): string[] {
  const { parameters = [], requestBody, responses = {} } = operation;
  const lines = [`operation ${id} ${place}`];
  for (const parameter of (parameters as unknown[]).map(resolved)) {
    lines.push(`parameter ${id} ${parameter.in} ${parameter.name} ${typeOf(parameter.schema)}${required(parameter)}`);
  }
  const body = requestBody === undefined ? {} : resolved(requestBody);
  for (const [type, { schema }] of contentOf(body)) {
    lines.push(`body ${id} ${type} ${typeOf(schema)}${required(body)}`);
  }
  for (const [status, response] of Object.entries(responses as Part)) {
    const { headers = {}, ...answer } = resolved(response);
    for (const name of Object.keys(headers as Part)) lines.push(`header ${id} ${status} ${name}`);
    for (const [type, { schema, examples = {} }] of contentOf(answer)) {
      lines.push(`answer ${id} ${status} ${type} ${typeOf(schema)}`);
      const codes = Number(status) < 400 ? [] : Object.keys(examples as Part);
      lines.push(...codes.map((code) => `code ${id} ${status} ${code}`));
    }
  }
  return lines;
}

const contentOf = ({ content = {} }: Part) => Object.entries(content as Record<string, Part>);
const required = (part: Part) => (part.required === true ? ' required' : '');

/** A schema by what it accepts; that of an object without a name has lines of its own. */
function typeOf(schema: unknown): string {
  const { $ref, type, items, enum: values, anyOf, oneOf, allOf, contentSchema, ...rules } = (schema ?? {}) as Part;
  if (typeof $ref === 'string') return $ref.replace(/^.*\//, '');
  const options = (anyOf ?? oneOf ?? allOf) as unknown[] | undefined;
  if (options !== undefined) return options.map(typeOf).join(allOf === undefined ? '|' : '&');
  const named = RULES.filter((rule) => rule in rules).map((rule) => `${rule}=${JSON.stringify(rules[rule])}`);
  const base = items === undefined ? [type ?? 'any'].flat().join('|') : `${typeOf(items)}[]`;
  const of = contentSchema === undefined ? [] : [`of ${typeOf(contentSchema)}`];
  const choice = Array.isArray(values) ? [`one of ${values.join(',')}`] : [];
  return [base, ...of, ...choice, ...named].join(' ');
}

function linesOfSchema(name: string, schema: unknown, way: Way): string[] {
  const { properties, items, required: needed = [], anyOf, oneOf, allOf } = (schema ?? {}) as Part;
  const fields = Object.entries((properties ?? {}) as Part).flatMap(([field, its]) => {
    const mark = (needed as string[]).includes(field) ? ' required' : '';
    return [`field ${way} ${name}.${field} ${typeOf(its)}${mark}`, ...nested(`${name}.${field}`, its, way)];
  });
  const options = ((anyOf ?? oneOf ?? allOf ?? []) as unknown[]).flatMap((option) => nested(name, option, way));
  const whole = properties === undefined ? [`schema ${way} ${name} ${typeOf(schema)}`] : [];
  return [...whole, ...fields, ...options, ...(items === undefined ? [] : nested(`${name}[]`, items, way))];
}

/** The fields of what is no reference to a schema with a name. */
function nested(name: string, schema: unknown, way: Way): string[] {
  const { $ref, properties, items, anyOf, oneOf, allOf } = (schema ?? {}) as Part;
  if ($ref !== undefined || (properties ?? items ?? anyOf ?? oneOf ?? allOf) === undefined) return [];
  return linesOfSchema(name, schema, way).filter((line) => line.startsWith('field '));
}

/** The schemas that are reached from bodies and parameters, from answers, or from both. */
function waysOf(operations: readonly Operation[], resolved: (part: unknown) => Part): Map<string, Way> {
  const ways = new Map<string, Way>();
  const visit = (part: unknown, way: Way) => {
    if (typeof part !== 'object' || part === null) return;
    const { $ref } = part as { $ref?: string };
    const name = $ref?.match(/^#\/components\/schemas\/(.+)$/)?.[1];
    if (name !== undefined) {
      const before = ways.get(name);
      if (before === way || before === 'both') return;
      ways.set(name, before === undefined ? way : 'both');
    }
    if ($ref !== undefined) visit(resolved(part), way);
    else for (const [key, each] of Object.entries(part)) if (!key.startsWith('example')) visit(each, way);
  };
  for (const { operation } of operations) {
    visit([operation.parameters, operation.requestBody], 'sent');
    visit(operation.responses, 'got');
  }
  return ways;
}
