import { isDeepStrictEqual } from 'node:util';

/** Throws if two values are not the same as JSON, with the first place at which they differ. */
export function demandEqual(what: string, found: unknown, expected: unknown): void {
  const [one, other] = [plain(found), plain(expected)];
  if (!isDeepStrictEqual(one, other)) throw new Error(`${what}${firstDifference(one, other)}`);
}

/** Without what is undefined. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

function firstDifference(one: unknown, other: unknown): string {
  const names = [one, other].flatMap((value) => (isTree(value) ? Object.keys(value) : []));
  const name = names.find((key) => !isDeepStrictEqual(Object(one)[key], Object(other)[key]));
  const isSameKind = Array.isArray(one) ? Array.isArray(other) && one.length === other.length : isTree(other);
  if (name !== undefined && isSameKind) return `.${name}${firstDifference(Object(one)[name], Object(other)[name])}`;
  return ` is ${JSON.stringify(one)}, expected ${JSON.stringify(other)}`;
}

const isTree = (value: unknown): value is object => typeof value === 'object' && value !== null;
