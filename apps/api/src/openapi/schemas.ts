import { isDeepStrictEqual } from 'node:util';
import type { oas31 } from 'zod-openapi';

type Schemas = Record<string, oas31.SchemaObject | oas31.ReferenceObject>;

const TWIN = 'Output';
const SCHEMAS = '#/components/schemas/';

/** The generator's names of error bodies: ours replace them. */
const isGeneratedError = (name: string) => name.startsWith('error.');

/**
 * The schemas as published: open to further fields and codes, because both may be added (behaviour 9), and without the
 * duplicates that the generator makes of schemas in both requests and responses. A duplicate that differs is an Error:
 * its schema needs its own name.
 */
export function publishSchemas(generated: Schemas): Schemas {
  const names = Object.keys(generated).filter((name) => !isGeneratedError(name));
  const isTwin = (name: string) => name.endsWith(TWIN) && names.includes(name.slice(0, -TWIN.length));
  const published = Object.fromEntries(names.map((name) => [name, open(generated[name], isTwin)])) as Schemas;
  for (const name of names.filter(isTwin)) {
    if (!isDeepStrictEqual(published[name], published[name.slice(0, -TWIN.length)])) {
      throw new Error(`The schema ${name.slice(0, -TWIN.length)} is another in responses: give that a name of its own`);
    }
    delete published[name];
  }
  return sorted(published);
}

/** The name by which a published schema is referenced. */
export function schemaReference(name: string): oas31.ReferenceObject {
  return { $ref: `${SCHEMAS}${name}` };
}

function open(value: unknown, isTwin: (name: string) => boolean): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => open(item, isTwin));
  }
  if (typeof value === 'string') {
    // In `$ref`, and in the mapping of a discriminator.
    return value.startsWith(SCHEMAS) ? referenceTo(value, isTwin) : value;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value)
    .filter(([key, part]) => !(key === 'additionalProperties' && part === false))
    .map(([key, part]) => [key, open(part, isTwin)]);
  return openCodes(Object.fromEntries(entries));
}

function referenceTo(reference: string, isTwin: (name: string) => boolean): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return isTwin(name) ? reference.slice(0, -TWIN.length) : reference;
}

// A closed enumeration would make a client generated today fail on a code that is added tomorrow.
function openCodes(schema: Record<string, unknown>): Record<string, unknown> {
  const { enum: values, ...rest } = schema;
  const isCodes = Array.isArray(values) && values.includes('internal_error');
  return isCodes ? { ...rest, 'x-extensible-enum': values } : schema;
}

function sorted(schemas: Schemas): Schemas {
  return Object.fromEntries(Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1)));
}
