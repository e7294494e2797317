const NAMES = new Intl.DisplayNames('en-GB', { type: 'language' });

/** `cy` as `Welsh (cy)`; a tag that nobody knows is itself. */
export function languageOf(tag: string): string {
  const name = nameOf(tag);
  return name === undefined || name.toLowerCase() === tag.toLowerCase() ? tag : `${name} (${tag})`;
}

function nameOf(tag: string): string | undefined {
  try {
    return NAMES.of(tag);
  } catch {
    return undefined;
  }
}
