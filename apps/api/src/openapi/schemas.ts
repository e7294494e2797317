import { isDeepStrictEqual } from 'node:util';
import type { oas31 } from 'zod-openapi';

type Schemas = Record<string, oas31.SchemaObject | oas31.ReferenceObject>;
type Schema = Record<string, unknown>;

const TWIN = 'Output';
const SCHEMAS = '#/components/schemas/';
const LARGEST_INT32 = 2 ** 31 - 1;
/** Below these are values of fields, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['default', 'enum', 'const', 'example', 'examples', 'x-extensible-enum']);

/** The name by which a published schema is referenced. */
export function schemaReference(name: string): oas31.ReferenceObject {
  return { $ref: `${SCHEMAS}${name}` };
}

/**
 * The schemas as published: open to further fields and codes, because both may be added (behaviour 9), and without the
 * generator's error bodies, which ours replace, and the duplicates that it makes of schemas in both requests and
 * responses. A duplicate that differs is an Error: its schema needs its own name. A field of a body has its default in
 * words, because generators of clients make a field with a default one that must be sent.
 */
export function publishSchemas(generated: Schemas): Schemas {
  const names = Object.keys(generated).filter((name) => !name.startsWith('error.'));
  const original = (name: string) => name.slice(0, -TWIN.length);
  const isTwin = (name: string) => name.endsWith(TWIN) && names.includes(original(name));
  const referenceTo = (value: unknown) =>
    typeof value === 'string' && value.startsWith(SCHEMAS) && isTwin(value.slice(SCHEMAS.length))
      ? original(value)
      : value;
  const publish = (schema: Schema) =>
    inWords(open(Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, referenceTo(part)]))));
  const published = new Map(names.map((name) => [name, everywhere(generated[name], publish)]));
  for (const name of names.filter(isTwin)) {
    if (!isDeepStrictEqual(published.get(name), published.get(original(name)))) {
      throw new Error(`The schema ${original(name)} is another in responses: give that a name of its own`);
    }
    published.delete(name);
  }
  return Object.fromEntries([...published].sort(([one], [other]) => (one < other ? -1 : 1))) as Schemas;
}

/**
 * A document that generators of clients in any language read as it is meant (behaviour 13.1.6). What a `format` says, a
 * pattern does not say again: generators for Python and C# refuse both. Each integer says how large it is.
 */
export function forGenerators(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  return everywhere(document, (schema) => {
    const { pattern, ...rest } = schema;
    if (typeof schema.format === 'string' && typeof pattern === 'string') return rest;
    if (schema.type !== 'integer') return schema;
    const { maximum } = schema;
    return { ...schema, format: typeof maximum === 'number' && maximum <= LARGEST_INT32 ? 'int32' : 'int64' };
  }) as oas31.OpenAPIObject;
}

/** The value with each object in it changed, the innermost first. */
function everywhere(value: unknown, change: (object: Schema) => Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => everywhere(item, change));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => {
    // A property may be called `default` too: then it is a schema.
    const isValue = VALUES.has(key) && !(isObject(part) && isSchema(part));
    return [key, isValue ? part : everywhere(part, change)];
  });
  return change(Object.fromEntries(entries));
}

/** A closed enumeration would make a client generated today fail on a code that is added tomorrow. */
function open(schema: Schema): Schema {
  const isCodes = Array.isArray(schema.enum) && schema.enum.includes('internal_error');
  const entries = Object.entries(schema).filter(([key, part]) => key !== 'additionalProperties' || part !== false);
  return Object.fromEntries(
    entries.map(([key, part]) => [key === 'enum' && isCodes ? 'x-extensible-enum' : key, part]),
  );
}

/** The default, which is no keyword here, as a sentence. */
function inWords(schema: Schema): Schema {
  const { default: absent, ...rest } = schema;
  if (absent === undefined || !isSchema(schema)) return schema;
  const { description = '' } = rest;
  const isSaid = /\bDefault: /.test(String(description));
  return { ...rest, description: isSaid ? description : `${description} Default: ${String(absent)}.`.trim() };
}

const isSchema = (value: Schema) =>
  typeof value.type === 'string' || 'anyOf' in value || 'enum' in value || '$ref' in value;

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
