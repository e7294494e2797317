/** The file of this program that a process or thread of it begins with: the one file that is built, or its source. */
export function programFile(): URL {
  const isSource = import.meta.url.endsWith('.ts');
  return isSource ? new URL('../main.ts', import.meta.url) : new URL(import.meta.url);
}
