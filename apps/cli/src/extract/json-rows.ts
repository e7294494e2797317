import { itemsOfArray, itemsOfLines, type JsonItem } from './json-items.ts';
import type { TextRow, TextRows } from './text-row.ts';

type Rules = typeof import('@causeway/rules');

/** More are refused as columns of a table: they are not looked for in the rest of the file. */
const MAX_KEYS = 2_000;

/** Whether a text begins as an array of objects, as an object, or as neither. */
export function jsonFormOf(head: string): 'array' | 'lines' | undefined {
  if (/^\s*\[\s*[\]{]/.test(head)) return 'array';
  return /^\s*\{/.test(head) ? 'lines' : undefined;
}

/**
 * The rows of objects, which stand in an array or a line each; their keys, in the order in which they appear first, are
 * the header. Numbers keep their digits, lists and objects are their JSON as it stands there, null is an empty cell. What is no object comes
 * with a fault. The text is read twice.
 */
export async function* jsonRows(
  open: { first: () => AsyncIterable<string>; second: () => AsyncIterable<string> },
  form: 'array' | 'lines',
): TextRows {
  const items = form === 'array' ? itemsOfArray : itemsOfLines;
  // It brings the schemas of all fields, which other files do without.
  const rules = await import('@causeway/rules');
  const keys = await keysIn(items(open.first()), rules);
  yield [{ line: 1, cells: keys }];
  for await (const some of items(open.second())) yield some.map((item) => rowOf(item, keys, rules));
}

async function keysIn(items: AsyncIterable<readonly JsonItem[]>, rules: Rules): Promise<string[]> {
  const keys = new Set<string>();
  for await (const some of items) {
    for (const item of some) {
      const read = objectOf(item, rules);
      if (typeof read !== 'string') for (const key of Object.keys(read)) keys.add(key);
    }
    if (keys.size > MAX_KEYS) break;
  }
  return [...keys];
}

function rowOf(item: JsonItem, keys: readonly string[], rules: Rules): TextRow {
  const { line, text } = item;
  const read = objectOf(item, rules);
  if (typeof read === 'string') return { line, cells: [], fault: read };
  const members = membersOf(text);
  return { line, cells: keys.map((key) => cellOf(members.get(key))) };
}

/** The object of an item, or its fault. */
function objectOf(
  { line, text, fault }: JsonItem,
  { JsonRefusal, parseStrictJson, requireObject }: Rules,
): Record<string, unknown> | string {
  if (fault !== undefined) return fault;
  try {
    return requireObject(parseStrictJson(text, 'row'), 'row');
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error;
    const sentence = error.message.replace(/line (\d+)/, (_match, own: string) => `line ${line + Number(own) - 1}`);
    return error.attr === undefined ? sentence : `${error.attr}: ${sentence}`;
  }
}

const STRINGS_AND_MARKS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** The texts of the values of an object, by their keys: read as numbers they would lose digits. */
function membersOf(json: string): Map<string, string> {
  const members = new Map<string, string>();
  let [depth, key, start] = [0, '', 0];
  STRINGS_AND_MARKS.lastIndex = 0;
  // It is called for each value of a file: test() makes no objects.
  for (let before = 0; STRINGS_AND_MARKS.test(json); before = STRINGS_AND_MARKS.lastIndex) {
    const end = STRINGS_AND_MARKS.lastIndex;
    const mark = json[end - 1];
    if (depth === 1 && start > 0 && (mark === ',' || mark === '}')) members.set(key, json.slice(start, end - 1).trim());
    if (mark === '{' || mark === '[') depth += 1;
    else if (mark === '}' || mark === ']') depth -= 1;
    else if (depth !== 1) continue;
    else if (mark === ':') start = end;
    else if (mark === ',') start = 0;
    else if (start === 0) key = textOfString(json.slice(before, end).trim());
  }
  return members;
}

function cellOf(value: string | undefined): string {
  if (value === undefined || value === 'null') return '';
  return value.startsWith('"') ? textOfString(value) : value;
}

const textOfString = (json: string): string => (json.includes('\\') ? JSON.parse(json) : json.slice(1, -1));
