/** A line that was added to the interface or removed from it. */
export interface Change {
  line: string;
  isAdded: boolean;
  /** Clients that were written before continue as they are. */
  isAdditive: boolean;
}

/**
 * What a change does to clients that know the lines before it (behaviour 9.2): what is added does nothing to them, unless
 * they must send it; what is removed, or is another afterwards, breaks them.
 */
export function changesOf(before: readonly string[], after: readonly string[]): Change[] {
  const [known, now] = [new Set(before), new Set(after)];
  const owners = new Set(before.map(ownerOf));
  const keys = new Set(before.map(keyOf));
  const added = after
    .filter((line) => !known.has(line))
    .map((line) => {
      const isOther = keys.has(keyOf(line));
      const mustBeSent = /^(?:parameter|body|field (?:sent|both)) .* required$/.test(line) && owners.has(ownerOf(line));
      return { line, isAdded: true, isAdditive: !isOther && !mustBeSent };
    });
  const removed = before.filter((line) => !now.has(line)).map((line) => ({ line, isAdded: false, isAdditive: false }));
  return [...removed, ...added];
}

/** The operation or schema that a line is about. */
function ownerOf(line: string): string {
  const [kind = '', second = '', third = ''] = line.split(' ');
  return kind === 'field' || kind === 'schema' ? third.replace(/[.[].*$/, '') : second;
}

/** What a line is about, without what it says of it. */
function keyOf(line: string): string {
  const words = line.split(' ');
  const [kind = ''] = words;
  const length = { operation: 2, schema: 3, field: 3, body: 3, parameter: 4 }[kind] ?? words.length;
  return words
    .slice(0, length)
    .filter((_word, index) => index !== 1 || (kind !== 'field' && kind !== 'schema'))
    .join(' ');
}
