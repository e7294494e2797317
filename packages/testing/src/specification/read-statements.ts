// A heading, `### 4.5 Import transactions`, or an item, `- **4.5.1** ...`.
const NUMBER = /^(?:#{2,3} (\d+(?:\.\d+)?)\.? |- \*\*(\d+\.\d+(?:\.\d+)?)\*\* )/gm;

/** The numbers of the chapters, sections and statements of `docs/behaviour.md`. Throws an Error for a duplicate. */
export function readStatements(markdown: string): ReadonlySet<string> {
  const numbers = new Set<string>();
  for (const [, section, statement] of markdown.matchAll(NUMBER)) {
    const number = section ?? statement ?? '';
    if (numbers.has(number)) {
      throw new Error(`docs/behaviour.md has the number ${number} twice.`);
    }
    numbers.add(number);
  }
  return numbers;
}
