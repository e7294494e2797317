/** A value as an element of an array's text in PostgreSQL. */
export function elementOf(value: unknown): string {
  if (value === undefined || value === null) return 'NULL';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
