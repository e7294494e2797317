/** A name in SQL, whatever is in it. Zero characters, which end a text of SQL, are left out. */
export const quotedName = (name: string) => `"${name.replaceAll('\0', '').replaceAll('"', '""')}"`;

/** A text in SQL. */
export const quotedText = (text: string) => `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`;

/** A comment that ends with its line, in whatever way a line may end. */
export const sqlComment = (text: string) => `-- ${text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')}`;
