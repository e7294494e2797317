/** A parameter that is left out is undefined, so that a filter can be cleared. */
type Texts<Name extends string> = { [N in Name]?: string | undefined };

/**
 * The search parameters of a page that are texts, for `validateSearch`: `textParameters('supplier', 'state')`. What looks
 * like a number in an address is one to the router; here it is the text that somebody typed. An
 * empty one is none.
 */
export function textParameters<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): Texts<Name> => {
    const texts = names.flatMap((name) => {
      const value = search[name];
      const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
      return text === '' ? [] : [[name, text] as const];
    });
    return Object.fromEntries(texts) as Texts<Name>;
  };
}
