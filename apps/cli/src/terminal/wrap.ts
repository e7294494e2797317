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
