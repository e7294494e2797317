/** JSON as its canonical form has it (RFC 8785): the names of each object in order, and no white space. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner) =>
    inner === null || typeof inner !== 'object' || Array.isArray(inner)
      ? inner
      : Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1))),
  );
}
