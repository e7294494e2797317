import { z } from 'zod';

/** Whatever is kept as it is sent. */
const ANYTHING = z.unknown();
const INDEX = /^(?:0|[1-9]\d{0,3})$/;

/**
 * The schemas of the value at a path, its list indexes as numbers: several where a field has several forms, none where
 * the path is not documented. Optional fields are unwrapped.
 */
export function schemasAtPath(schema: z.core.$ZodType, path: readonly string[]): z.core.$ZodType[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const [name, ...rest] = path;
  switch (def.type) {
    case 'union':
      return [...new Set(def.options.flatMap((option) => schemasAtPath(option, path)))];
    case 'optional':
    case 'default':
    case 'nullable':
      return schemasAtPath(def.innerType, path);
    default:
      return name === undefined ? [schema] : below(schema, name, rest);
  }
}

function below(schema: z.core.$ZodType, name: string, rest: readonly string[]): z.core.$ZodType[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const field = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
      if (field === undefined) return def.catchall === undefined ? [] : [ANYTHING];
      return schemasAtPath(field, rest);
    }
    case 'array':
      return INDEX.test(name) ? schemasAtPath(def.element, rest) : [];
    case 'record':
      return z.safeParse(def.keyType, name).success ? schemasAtPath(def.valueType, rest) : [];
    case 'unknown':
      return [ANYTHING];
    default:
      return [];
  }
}

/** The paths of all documented fields that have no fields below, with 0 for each list index. */
export function documentedPaths(schema: z.core.$ZodType): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const under = (name: string, field: z.core.$ZodType) =>
    documentedPaths(field).map((path) => (path === '' ? name : `${name}.${path}`));
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) => under(name, field));
    case 'array':
      return under('0', def.element);
    case 'union':
      return [...new Set(def.options.flatMap(documentedPaths))];
    case 'optional':
    case 'default':
    case 'nullable':
      return documentedPaths(def.innerType);
    default:
      return [''];
  }
}

/** The names of the fields that every value of the schema has. */
export function requiredFields(schema: z.core.$ZodType): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'union') {
    const [first = [], ...others] = def.options.map(requiredFields);
    return first.filter((name) => others.every((names) => names.includes(name)));
  }
  if (def.type !== 'object') return [];
  return Object.keys(def.shape).filter((name) => def.shape[name]?._zod.optin === undefined);
}
