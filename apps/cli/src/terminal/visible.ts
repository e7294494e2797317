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
