import { z } from 'zod';

/** The type of JSON that a schema accepts: a record and `anyObject` are objects too. */
function jsonTypeOf(schema: z.core.$ZodType): string {
  const { type } = (schema as z.core.$ZodTypes)._zod.def;
  return type === 'record' || type === 'unknown' ? 'object' : type;
}

function jsonTypeOfValue(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
}

// zod's own union tries each form, and tells of none what is wrong with it.
const Either = z.core.$constructor<z.ZodUnion>('Either', (instance, definition) => {
  z.ZodUnion.init(instance, definition);
  instance._zod.parse = (payload, context) => {
    const type = jsonTypeOfValue(payload.value);
    const [first] = definition.options as [z.core.$ZodType, ...z.core.$ZodType[]];
    const option = definition.options.find((schema) => jsonTypeOf(schema) === type) ?? first;
    return option._zod.run(payload, context);
  };
});

/**
 * A value in one of several forms of different JSON types, such as a text or an object. It is judged by the rules of
 * the form that has its type; a value of no such type, by those of the first.
 */
export function either<const Options extends readonly [z.ZodType, z.ZodType, ...z.ZodType[]]>(
  ...options: Options
): z.ZodUnion<Options> {
  return new Either({ type: 'union', options, inclusive: true }) as unknown as z.ZodUnion<Options>;
}
