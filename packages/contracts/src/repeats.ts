import { differingFields } from './differing-fields.ts';
import { LIMITS } from './limits.ts';
import type { Rule, Violation } from './rules.ts';

interface RepeatedItems {
  /** The field that says which item it is. */
  identifier: string;
  /** Where the list is. */
  path: (string | number)[];
  /** As a rule gets them. */
  faults: readonly (readonly PropertyKey[])[];
}

/**
 * Items of one list with the same identifier but other values: which of them is meant, nobody can know. Each is blamed
 * for the first field in which it differs from the first one with its identifier. Equal repeats are no problem. Items
 * that are themselves at fault are left out, and those without an identifier; a list that is none has no items.
 */
export function unequalRepeats(items: readonly object[], { identifier, path, faults }: RepeatedItems): Violation[] {
  if (!Array.isArray(items) || items.length < 2) return [];
  const atFault = new Set(
    faults.filter((fault) => path.every((key, depth) => fault[depth] === key)).map((fault) => fault[path.length]),
  );
  const first = new Map<string, number>();
  const violations: Violation[] = [];
  for (const [index, item] of items.entries()) {
    if (atFault.has(index)) continue;
    const id = (item as Record<string, string | undefined>)[identifier];
    if (id === undefined) continue;
    const before = first.get(id);
    if (before === undefined) {
      first.set(id, index);
      continue;
    }
    const [field] = differingFields(items[before] ?? {}, item);
    if (field === undefined) continue;
    const detail = `The ${identifier} ${id} is twice in this request, with another ${field} than in ${[...path, before].join('.')}.`;
    violations.push({ code: 'repeated_with_other_values', path: [...path, index, field], detail });
    if (violations.length === LIMITS.counted_errors) break;
  }
  return violations;
}

/** The rule that no two items of a list have the same identifier and other values. */
export function repeatsAreEqual<List extends string>(
  list: List,
  identifier: string,
): Rule<{ [Field in List]?: object[] | undefined }> {
  return {
    reads: [list],
    check: (value, faults) => unequalRepeats(value[list] ?? [], { identifier, path: [list], faults }),
  };
}

/** Of which each item is compared with those before it in less time than a Set of them takes. */
const SHORT = 16;

/** The rule that no two items of a list have the same identifier. Those without one are no repeats. */
export function itemsAreUnique<List extends string, Id extends string>(
  list: List,
  identifier: Id,
  fault: Omit<Violation, 'path'>,
): Rule<{ [Field in List]?: { [Field in Id]?: string | undefined }[] | undefined }> {
  return {
    reads: [`${list}.*.${identifier}`],
    check: (value) => {
      const items = value[list];
      if (items === undefined || items.length < 2) return undefined;
      const ids = items.map((item) => item[identifier]);
      const isUnique = ids.length <= SHORT && ids.every((id, index) => id === undefined || ids.indexOf(id) === index);
      if (isUnique) return undefined;
      const seen = new Set<string>();
      const violations: Violation[] = [];
      for (const [index, id] of ids.entries()) {
        if (id === undefined) continue;
        if (seen.has(id)) violations.push({ ...fault, path: [list, index, identifier] });
        seen.add(id);
        if (violations.length === LIMITS.counted_errors) break;
      }
      return violations;
    },
  };
}
