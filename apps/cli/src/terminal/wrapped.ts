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
