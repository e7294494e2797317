const MOST_NAMES = 12;

/**
 * What lists and objects of JSON hold, in the names that most of the objects have. A name of fewer may be a value, and is not told.
 */
export function wordsOfNested(values: readonly string[]): string {
  const parsed = values.flatMap(parsedIfJson);
  const isList = parsed.some((value) => Array.isArray(value));
  const objects = parsed.flat().filter((item) => typeof item === 'object' && item !== null);
  const counts = new Map<string, number>();
  for (const name of objects.flatMap(Object.keys)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].filter(([, count]) => count * 2 > objects.length).map(([name]) => name);
  const of = names.length === 0 ? '' : ` with ${names.slice(0, MOST_NAMES).join(', ')}`;
  return isList ? `lists of JSON${of}: json_each makes a row of each` : `objects of JSON${of}: json_extract reads them`;
}

function parsedIfJson(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
