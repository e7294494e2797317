import type { z } from 'zod';
import { type Shape, shapeOf } from './schema-shape.ts';

/** Stands for an index, and for a name that is not documented: those are as many as their senders like. */
const ANY = '*';
const INDEX = /^(?:\d{1,5}|\*)$/;

/**
 * A path of one of these schemas as a kind: of the names in it those are left that the schemas define, at their place. So
 * there are no more kinds of path than there are documented fields, whatever is sent.
 */
export function kindOfPath(schemas: readonly z.core.$ZodType[], path: string): string {
  const kind: string[] = [];
  for (const { part, is, isLast } of partsOf(schemas, path)) {
    kind.push(is === 'name' ? part : ANY);
    // What lies below what is not documented is of the same kind.
    if (is !== 'name' && isLast) break;
  }
  return kind.join('.');
}

/** Whether a path has a name that none of these schemas defines at its place. Below a list a number is an index. */
export function hasMadeUpName(schemas: readonly z.core.$ZodType[], path: string): boolean {
  return partsOf(schemas, path).some(({ is }) => is === 'made_up');
}

/** The parts of a path; `isLast`: nothing is documented below it. */
function partsOf(schemas: readonly z.core.$ZodType[], path: string) {
  let shapes = formsOf(schemas.map(shapeOf));
  if (path === '') return [];
  return path.split('.').map((part) => {
    const isName = shapes.some((shape) => shape.kind === 'object' && shape.fields.has(part));
    const isIndex = INDEX.test(part) && shapes.some(({ kind }) => kind === 'list');
    shapes = formsOf(shapes.map((shape) => below(shape, part)));
    return { part, is: isName ? 'name' : isIndex ? 'index' : 'made_up', isLast: shapes.length === 0 } as const;
  });
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
