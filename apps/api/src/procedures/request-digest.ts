import { hash } from 'node:crypto';

/** What makes a request what it is. */
interface DigestedRequest {
  /** The procedure's tRPC path, `dataImport.importNotes`. */
  procedurePath: string;
  input: unknown;
  undocumentedParameters: readonly string[];
}

/** A digest of everything that identifies the request, whatever the order of its fields and parameters. */
export function digestsOf({ procedurePath, input, undocumentedParameters }: DigestedRequest) {
  const undocumented = undocumentedParameters.toSorted();
  const digest = hash('sha256', JSON.stringify([procedurePath, sorted(input), undocumented]), 'buffer');
  // The previous version hashed the fields in their order. The answers that it kept expire 24 hours after the upgrade.
  const formerDigest = hash('sha256', JSON.stringify([procedurePath, input]), 'buffer');
  return { digest, formerDigest };
}

/**
 * A JSON value with the fields of its objects sorted. Sorted values are not copied, and JSON.stringify is called
 * without a replacer function, which took three times as long: a body may have a million values.
 */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? sortedItems(value) : sortedFields(value as Record<string, unknown>);
}

function sortedItems(items: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const item = sorted(items[index]);
    if (item === items[index]) continue;
    copy ??= [...items];
    copy[index] = item;
  }
  return copy ?? items;
}

function sortedFields(fields: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(fields);
  let result = fields;
  let isInOrder = true;
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] ?? '';
    if (index > 0 && (names[index - 1] ?? '') > name) isInOrder = false;
    const field = sorted(fields[name]);
    if (field === fields[name]) continue;
    if (result === fields) result = { ...fields };
    result[name] = field;
  }
  return isInOrder ? result : Object.fromEntries(names.sort(byCodeUnits).map((name) => [name, result[name]]));
}

const byCodeUnits = (one: string, other: string) => (one < other ? -1 : 1);
