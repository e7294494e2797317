import { z } from 'zod';

interface Property {
  key: string;
  schema: z.core.$ZodType;
  mayBeAbsent: boolean;
}

// zod's own object runs the schema of every key, also of those that are absent: most of an account's fields are
// (docs/decisions/0014).
const SparseObject = z.core.$constructor<z.ZodObject>('SparseObject', (instance, definition) => {
  z.ZodObject.init(instance, definition);
  const parseWithZod = instance._zod.parse;
  let properties: Property[] | undefined;
  instance._zod.parse = (payload, context) => {
    const input = payload.value;
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return parseWithZod(payload, context);
    properties ??= Object.entries(definition.shape).map(([key, schema]) => {
      return { key, schema, mayBeAbsent: schema._zod.optout === 'optional' };
    });
    const output: Record<string, unknown> = {};
    payload.value = output;
    for (const { key, schema, mayBeAbsent } of properties) {
      const value = (input as Record<string, unknown>)[key];
      if (value === undefined && mayBeAbsent) continue;
      const result = schema._zod.run({ value, issues: [] }, context);
      if (result instanceof Promise) throw new z.core.$ZodAsyncError();
      if (result.issues.length > 0) payload.issues.push(...z.core.util.prefixIssues(key, result.issues));
      if (result.value !== undefined) output[key] = result.value;
    }
    return payload;
  };
});

/** As `z.object`, for objects that mostly have few of their many optional fields. */
export function sparseObject<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strip> {
  return new SparseObject({ type: 'object', shape }) as unknown as z.ZodObject<Shape, z.core.$strip>;
}
