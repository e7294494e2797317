import type { oas31 } from 'zod-openapi';

type Schema = Record<string, unknown>;

const LARGEST_INT32 = 2 ** 31 - 1;
/** Below these are values of fields, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['default', 'enum', 'const', 'example', 'examples', 'x-extensible-enum']);

/**
 * A document that generators of clients in any language read as it is meant (behaviour 13.1.6). What a `format` says, a
 * pattern does not say again: generators for Python and C# refuse both. Each integer says how large it is. A field of a
 * body has its default in words, because generators make a field with a default one that must be sent; a query parameter
 * keeps it, which none misreads.
 */
export function forGenerators(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  const { schemas, ...components } = document.components ?? {};
  const published = { ...document, components: { ...components, schemas: withoutDefaults(schemas) } };
  return mended(published) as oas31.OpenAPIObject;
}

function mended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mended);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, isValue(key, part) ? part : mended(part)]);
  return asSchema(Object.fromEntries(entries));
}

/** A property may be called `default` too: then it is a schema. */
const isValue = (key: string, part: unknown) => VALUES.has(key) && !(isObject(part) && isSchema(part));

function asSchema(schema: Schema): Schema {
  const { pattern: _said, ...rest } = schema;
  if (typeof schema.format === 'string' && typeof schema.pattern === 'string') return rest;
  return schema.type === 'integer' ? { ...schema, format: formatOf(schema) } : schema;
}

function formatOf({ maximum }: Schema): string {
  return typeof maximum === 'number' && maximum <= LARGEST_INT32 ? 'int32' : 'int64';
}

function withoutDefaults<Schemas>(value: Schemas): Schemas {
  if (Array.isArray(value)) return value.map(withoutDefaults) as Schemas;
  if (!isObject(value)) return value;
  const { default: absent, ...rest } = value;
  if (absent === undefined || !isSchema(value)) return parts(value, withoutDefaults) as Schemas;
  return parts({ ...rest, description: inWords(String(rest.description ?? ''), absent) }, withoutDefaults) as Schemas;
}

const parts = (schema: Schema, mend: (part: unknown) => unknown): Schema =>
  Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, isValue(key, part) ? part : mend(part)]));

function inWords(description: string, absent: unknown): string {
  return /\bDefault: /.test(description) ? description : `${description} Default: ${String(absent)}.`.trim();
}

const isSchema = (value: Schema) =>
  typeof value.type === 'string' || 'anyOf' in value || 'enum' in value || '$ref' in value;

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
