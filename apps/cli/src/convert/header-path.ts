import { documentedPaths, schemasAtPath } from '@causeway/contracts';
import { isAlwaysEscaped } from '@causeway/rules';
import type { z } from 'zod';

/** The step of a list whose items have no place in the header: a row is one of them. */
export const EACH = '*';

/** The documented names below a name; `0` is an item of a list. */
interface Names {
  below: Map<string, Names>;
}

interface Named {
  name: string;
  names: Names;
}

const namesOf = new WeakMap<z.core.$ZodType, Names>();

/**
 * The path that a header names, in whatever dress: `Billing Name` and `BILLING_NAME` are `billing_name`. Lists may be
 * without a place: `meter_points.identifier` is `meter_points.*.identifier`. Undefined: no such field is documented.
 */
export function pathOfHeader(header: string, schema: z.core.$ZodType): readonly string[] | undefined {
  let names: Names | undefined = documentedNames(schema);
  const path: string[] = [];
  for (const part of header.split('.').map((text) => text.trim())) {
    const isPlace = /^\d+$/.test(part);
    if (names?.below.has('0') && !isPlace) {
      path.push(EACH);
      names = names.below.get('0');
    }
    const known: Named | undefined = names === undefined ? undefined : childNamed(names, part, isPlace);
    // Below a field that takes anything, names are kept as they are.
    path.push(known?.name ?? part);
    names = known?.names;
  }
  return path.every(isName) && schemasOf(schema, path).length > 0 ? path : undefined;
}

/** The schemas at a path that may have lists without a place. */
export function schemasOf(schema: z.core.$ZodType, path: readonly string[]): z.core.$ZodType[] {
  return schemasAtPath(
    schema,
    path.map((name) => (name === EACH ? '0' : name)),
  );
}

/** Not what the service refuses as a name. */
export function isName(name: string): boolean {
  return name !== '' && name !== '__proto__' && !isAlwaysEscaped(name);
}

/** A name without its dress: case, spaces, hyphens and underscores. */
export const undressed = (name: string) => name.toLowerCase().replaceAll(/[\s_-]+/g, '');

function documentedNames(schema: z.core.$ZodType): Names {
  const known = namesOf.get(schema);
  if (known !== undefined) return known;
  const root: Names = { below: new Map() };
  for (const path of documentedPaths(schema)) {
    let names = root;
    for (const part of path.split('.')) {
      const next: Names = names.below.get(part) ?? { below: new Map() };
      names.below.set(part, next);
      names = next;
    }
  }
  namesOf.set(schema, root);
  return root;
}

function childNamed({ below }: Names, part: string, isPlace: boolean): Named | undefined {
  const exact = below.get(isPlace && below.has('0') ? '0' : part);
  if (exact !== undefined) return { name: part, names: exact };
  const plain = undressed(part);
  const found = [...below].find(([name]) => undressed(name) === plain);
  return found === undefined ? undefined : { name: found[0], names: found[1] };
}
