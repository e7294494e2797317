import { z } from 'zod';
import { optional } from './field.ts';
import { LIMITS, limitText } from './limits.ts';

interface BoundedArrayDefinition extends z.core.$ZodArrayDef {
  minimum: number;
  maximum: number;
}

interface BoundedArray extends z.ZodArray {
  _zod: z.ZodArray['_zod'] & { def: BoundedArrayDefinition };
}

// zod's own array reads every element without a way to stop it, and passes all issues as arguments of one call:
// a million bad elements overflow the stack. This one looks at the length first and stops after enough issues.
const BoundedArray = z.core.$constructor<BoundedArray>('BoundedArray', (instance, definition) => {
  z.ZodArray.init(instance, definition);
  if (definition.minimum > 0) instance._zod.bag.minimum = definition.minimum;
  instance._zod.bag.maximum = definition.maximum;
  const parseWithZod = instance._zod.parse;
  instance._zod.parse = (payload, context) => {
    const input = payload.value;
    if (!Array.isArray(input)) return parseWithZod(payload, context);
    if (input.length < definition.minimum) {
      payload.issues.push({ code: 'too_small', origin: 'array', minimum: definition.minimum, input, inst: instance });
    } else if (input.length > definition.maximum) {
      payload.issues.push({ code: 'too_big', origin: 'array', maximum: definition.maximum, input, inst: instance });
    } else {
      parseElements(definition.element, payload, context);
    }
    return payload;
  };
});

function parseElements(element: z.core.SomeType, payload: z.core.ParsePayload, context: z.core.ParseContextInternal) {
  const input = payload.value as unknown[];
  const output = new Array<unknown>(input.length);
  payload.value = output;
  for (let index = 0; index < input.length; index++) {
    const result = element._zod.run({ value: input[index], issues: [] }, context);
    if (result instanceof Promise) throw new z.core.$ZodAsyncError();
    output[index] = result.value;
    if (result.issues.length === 0) continue;
    for (const issue of z.core.util.prefixIssues(index, result.issues)) payload.issues.push(issue);
    if (payload.issues.length >= LIMITS.counted_errors) return;
  }
}

/**
 * A list of `minimum` to `maximum` items. A longer one is refused before any item is looked at (`max_items`), a shorter
 * one is `empty`, and reading stops once as many problems are found as are counted.
 */
export function list<Item extends z.ZodType>(item: Item, maximum: number, minimum = 0): z.ZodArray<Item> {
  return new BoundedArray({ type: 'array', element: item, minimum, maximum }) as unknown as z.ZodArray<Item>;
}

/** A field with such a list, which may be left out; what is said of it ends with how many items it may have. */
export function optionalList<Item extends z.ZodType>(
  item: Item,
  maximum: number,
  ...[what, ...examples]: [what: string, ...examples: z.input<Item>[][]]
): z.ZodOptional<z.ZodArray<Item>> {
  return optional(list(item, maximum), `${what}, up to ${limitText(maximum)}.`, ...examples);
}
