/** One line of CSV (RFC 4180, each line ended by a line feed); null is an empty field. */
export function csvLine(values: readonly (string | null)[], separator = ','): string {
  const fields = values.map((value) => {
    const text = value ?? '';
    return /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${fields.join(separator)}\n`;
}
