import { MASK } from '@causeway/contracts/codes';

/** A field of a payload, with what was refused of it. */
export interface TreeNode {
  name: string;
  path: string;
  /** Of a field that is not a list or an object; undefined where the refused value is not stored. */
  value?: string;
  children?: TreeNode[];
  /** The codes of what was refused here. */
  faults: string[];
  /** How many faults are in it and below it. */
  faultCount: number;
}

export interface Fault {
  attr: string;
  code: string;
}

/**
 * A payload as a tree, each fault at its place. A refused value was never stored, so that some places exist only in the
 * refusal: they are put in without a value.
 */
export function markedTree(payload: Readonly<Record<string, unknown>>, faults: readonly Fault[]): TreeNode[] {
  return childrenOf(
    ['', payload],
    faults.filter(({ attr }) => attr !== ''),
  );
}

type Entry = readonly [path: string, value: unknown];

function childrenOf([path, value]: Entry, faults: readonly Fault[]): TreeNode[] {
  const prefix = path === '' ? '' : `${path}.`;
  const stored = new Map(Object.entries(value ?? {}));
  const names = new Set(stored.keys());
  for (const { attr } of faults) {
    if (attr.startsWith(prefix)) names.add(attr.slice(prefix.length).split('.')[0] ?? '');
  }
  return [...names].map((name) => nodeOf(name, [prefix + name, stored.get(name)], faults));
}

function nodeOf(name: string, entry: Entry, all: readonly Fault[]): TreeNode {
  const [path, value] = entry;
  const faults = all.filter(({ attr }) => attr === path || attr.startsWith(`${path}.`));
  const own = faults.filter(({ attr }) => attr === path).map(({ code }) => code);
  const node = { name, path, faults: own, faultCount: faults.length };
  const line = faults.length === 0 ? lineOf(value) : undefined;
  if (line !== undefined) return { ...node, value: line };
  if (typeof value === 'object' && value !== null) return { ...node, children: childrenOf(entry, faults) };
  if (faults.length > own.length) return { ...node, children: childrenOf([path, undefined], faults) };
  return value === undefined ? node : { ...node, value: String(value) };
}

/** From so many on, values stand on one line: the half hours of a year would be thousands of rows. */
const LONG_LIST = 24;

function lineOf(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length < LONG_LIST || value.some((item) => Object(item) === item))
    return undefined;
  return value.every((item) => item === MASK) ? MASK : value.join(', ');
}
