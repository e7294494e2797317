const GAP = '  ';

/**
 * Rows as lines whose columns stand below each other, each as wide as its widest cell: nothing is cut, and nothing in a
 * cell moves the cursor. Those in `right`, by their index, end below each other, as numbers do.
 */
export function tableLines(cells: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const rows = cells.map((row) => row.map(visible));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return rows.map((row) => {
    const padded = row.map((cell, index) => {
      const space = ' '.repeat((widths[index] ?? 0) - cell.length);
      return right.includes(index) ? `${space}${cell}` : `${cell}${space}`;
    });
    return padded.join(GAP).trimEnd();
  });
}

/** A text as lines of at most `columns`, cut between words; a longer word has a line of its own. */
export function wrap(text: string, columns: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(/\s+/).filter((some) => some !== '')) {
    const isBegun = line.length > indent.length;
    if (isBegun && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = indent + word;
    } else {
      line += isBegun ? ` ${word}` : word;
    }
  }
  return line.length > indent.length ? [...lines, line] : lines;
}

/** A text in lines of at most so many characters, cut at words; every line but the first begins with `indent`. */
export function wrapped(text: string, columns: number, indent = ''): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of text.split(' ')) {
    if (line !== undefined && line.length + 1 + word.length <= columns) {
      line = `${line} ${word}`;
      continue;
    }
    if (line !== undefined) lines.push(line);
    line = lines.length === 0 ? word : `${indent}${word}`;
  }
  return [...lines, line ?? ''];
}

/**
 * A text that others wrote (an answer, the name of a file or a column) as it may be shown: what would move the cursor,
 * change colours or hide letters is replaced.
 */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\uFFFD');
}

/** The same of a text of several lines. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

/** A word as a shell takes it. */
export function quoted(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
