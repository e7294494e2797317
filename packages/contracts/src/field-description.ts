import type { z } from 'zod';

/** What a documented field is, by its dotted path with `*` or a number for each index; undefined if none exists. */
export function descriptionOfField(schema: z.core.$ZodType, path: string): string | undefined {
  return path === '' ? undefined : find(schema, path.split('.'));
}

function find(schema: z.core.$ZodType, [name, ...rest]: readonly string[]): string | undefined {
  if (name === undefined) return describe(schema);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const field = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
      return field && find(field, rest);
    }
    case 'array':
      return find(def.element, rest);
    case 'union':
      return def.options.map((option) => find(option, [name, ...rest])).find((text) => text !== undefined);
    default: {
      const inner = innerOf(schema);
      return inner && find(inner, [name, ...rest]);
    }
  }
}

/** `field` documents a schema before it becomes optional. */
function describe(schema: z.core.$ZodType): string | undefined {
  const inner = innerOf(schema);
  return (schema as z.ZodType).description ?? (inner && describe(inner));
}

function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  return (schema._zod.def as { innerType?: z.core.$ZodType }).innerType;
}
