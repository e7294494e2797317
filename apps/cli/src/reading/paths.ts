/** Words as they stand in a path of the interface. */
export function pathOf(...words: readonly string[]): string {
  return words.map((word) => `${encodeURIComponent(word)}/`).join('');
}
