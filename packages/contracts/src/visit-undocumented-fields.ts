import type { z } from 'zod';
import { type Shape, shapeOf } from './schema-shape.ts';

/** Where the search is: the keys and list indexes that lead there. */
export type FieldPath = readonly (string | number)[];

/** Called with the object that has the field, the field's name and its value. The search ends if it returns false. */
export type FieldVisitor = (owner: FieldPath, key: string, value: unknown) => boolean;

/**
 * Visits the fields of `input` that `schema` does not define (behaviour 2.2), in their order, and nothing below them.
 * Accepts any input, valid or not; each schema is compiled once.
 */
export function visitUndocumentedFields(schema: z.core.$ZodType, input: unknown, visit: FieldVisitor): void {
  search(shapeOf(schema), input, { path: [], visit, isOver: false });
}

interface Search {
  path: (string | number)[];
  visit: FieldVisitor;
  isOver: boolean;
}

function search(shape: Shape | undefined, input: unknown, state: Search): void {
  if (shape === undefined || typeof input !== 'object' || input === null) return;
  if (shape.kind === 'either') {
    search(Array.isArray(input) ? shape.list : shape.object, input, state);
  } else if (shape.kind === 'list') {
    if (!Array.isArray(input)) return;
    for (let index = 0; index < input.length && !state.isOver; index++) {
      descend(shape.item, input[index], { state, key: index });
    }
  } else if (!Array.isArray(input)) {
    searchFields(shape, input as Record<string, unknown>, state);
  }
}

function searchFields(
  shape: Shape & { kind: 'object' | 'record' | 'choice' },
  input: Record<string, unknown>,
  state: Search,
): void {
  if (shape.kind === 'choice') {
    search(shape.options.get(input[shape.discriminator]), input, state);
    return;
  }
  for (const key of Object.keys(input)) {
    if (state.isOver) return;
    const field = shape.kind === 'object' ? shape.fields.get(key) : undefined;
    const isKnown = shape.kind === 'object' ? field !== undefined || shape.isOpen : shape.knows(key);
    const below = shape.kind === 'object' ? field?.shape : shape.value;
    if (isKnown) descend(below, input[key], { state, key });
    else state.isOver = !state.visit(state.path, key, input[key]);
  }
}

function descend(shape: Shape | undefined, input: unknown, { state, key }: { state: Search; key: string | number }) {
  if (shape === undefined || typeof input !== 'object' || input === null) return;
  state.path.push(key);
  search(shape, input, state);
  state.path.pop();
}
