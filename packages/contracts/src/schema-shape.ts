import type { z } from 'zod';

/** The documented keys of a schema, without its types and rules. Undefined: no keys below. */
export type Shape =
  /** An open object keeps other fields too. */
  | { kind: 'object'; fields: ReadonlyMap<string, Field>; isOpen: boolean }
  | { kind: 'list'; item: Shape }
  | { kind: 'choice'; discriminator: string; options: ReadonlyMap<unknown, Shape> }
  | { kind: 'either'; list: Shape; object: Shape }
  | { kind: 'record'; knows: (key: string) => boolean; value: Shape | undefined };

interface Field {
  shape: Shape | undefined;
  /** It may be left out. */
  optional: boolean;
}

const shapes = new WeakMap<z.core.$ZodType, { shape: Shape | undefined }>();

/** The shape of a schema, which is compiled once. */
export function shapeOf(schema: z.core.$ZodType): Shape | undefined {
  let compiled = shapes.get(schema);
  if (compiled === undefined) {
    compiled = { shape: compile(schema) };
    shapes.set(schema, compiled);
  }
  return compiled.shape;
}

function compile(schema: z.core.$ZodType): Shape | undefined {
  const definition = (schema as z.core.$ZodTypes)._zod.def;
  switch (definition.type) {
    case 'object':
      return { kind: 'object', fields: fieldsOf(definition.shape), isOpen: definition.catchall !== undefined };
    case 'array': {
      const item = compile(definition.element);
      return item && { kind: 'list', item };
    }
    case 'record':
      return { kind: 'record', knows: keyTestOf(definition.keyType), value: compile(definition.valueType) };
    case 'union':
      return 'discriminator' in definition
        ? choiceOf(definition as z.core.$ZodDiscriminatedUnionDef)
        : eitherOf(definition.options);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
      return compile(definition.innerType);
    default:
      return undefined;
  }
}

function fieldsOf(shape: z.core.$ZodShape): ReadonlyMap<string, Field> {
  return new Map(
    Object.entries(shape).map(([key, schema]) => [
      key,
      { shape: compile(schema), optional: schema._zod.optin !== undefined },
    ]),
  );
}

function keyTestOf(schema: z.core.$ZodType): (key: string) => boolean {
  return (key) => {
    const result = schema._zod.run({ value: key, issues: [] }, { async: false });
    return !(result instanceof Promise) && result.issues.length === 0;
  };
}

function choiceOf({ discriminator, options }: z.core.$ZodDiscriminatedUnionDef): Shape {
  const choices = new Map<unknown, Shape>();
  for (const option of options) {
    const shape = compile(option as z.core.$ZodType);
    if (shape === undefined) continue;
    for (const value of option._zod.propValues?.[discriminator] ?? []) choices.set(value, shape);
  }
  return { kind: 'choice', discriminator, options: choices };
}

/**
 * Of several forms of a field, the list and the object; none if there are two of a kind: which one is meant is unknown.
 */
function eitherOf(options: readonly z.core.$ZodType[]): Shape | undefined {
  const shapes = options.map(compile).filter((shape) => shape !== undefined);
  const [first, second] = shapes;
  if (first === undefined || second === undefined) return first;
  const [list, object] = first.kind === 'list' ? [first, second] : [second, first];
  return shapes.length === 2 && list.kind === 'list' && object.kind !== 'list'
    ? { kind: 'either', list, object }
    : undefined;
}
