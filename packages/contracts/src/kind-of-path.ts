import type { z } from 'zod';
import { type Shape, shapeOf } from './schema-shape.ts';

/** Stands for an index, and for a name that is not documented: those are as many as their senders like. */
const ANY = '*';

/**
 * A path of one of these schemas as a kind: of the names in it those are left that the schemas define, at their place. So
 * there are no more kinds of path than there are documented fields, whatever is sent.
 */
export function kindOfPath(schemas: readonly z.core.$ZodType[], path: string): string {
  if (path === '') return '';
  let shapes = formsOf(schemas.map(shapeOf));
  const kind: string[] = [];
  for (const part of path.split('.')) {
    const isName = shapes.some((shape) => shape.kind === 'object' && shape.fields.has(part));
    kind.push(isName ? part : ANY);
    shapes = formsOf(shapes.map((shape) => below(shape, part)));
    // What lies below what is not documented is of the same kind.
    if (!isName && shapes.length === 0) break;
  }
  return kind.join('.');
}

function below(shape: Shape, part: string): Shape | undefined {
  switch (shape.kind) {
    case 'object':
      return shape.fields.get(part)?.shape;
    case 'list':
      return shape.item;
    case 'record':
      return shape.value;
    default:
      return undefined;
  }
}

/** The forms that values of these shapes may have. */
function formsOf(shapes: readonly (Shape | undefined)[]): Shape[] {
  return shapes.flatMap((shape) => {
    if (shape === undefined) return [];
    if (shape.kind === 'either') return formsOf([shape.list, shape.object]);
    return shape.kind === 'choice' ? formsOf([...new Set(shape.options.values())]) : [shape];
  });
}
