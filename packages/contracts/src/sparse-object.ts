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
    properties ??= Object.entries(definition.shape).map(([key, schema]) => propertyOf(key, schema));
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

/** What is there need not pass the schema that says it may be absent. */
function propertyOf(key: string, schema: z.core.$ZodType): Property {
  const { def } = (schema as z.ZodOptional<z.ZodType>)._zod;
  const isWrapped = def.type === 'optional' && def.checks === undefined;
  return { key, schema: isWrapped ? def.innerType : schema, mayBeAbsent: schema._zod.optout === 'optional' };
}

/** As `z.object`, for objects that mostly have few of their many optional fields. */
export function sparseObject<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strip> {
  return new SparseObject({ type: 'object', shape }) as unknown as z.ZodObject<Shape, z.core.$strip>;
}
