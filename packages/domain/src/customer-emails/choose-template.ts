import type { Queryable, RowOf } from '@causeway/db';
import { DEFAULT_TEXTS } from './default-template.ts';
import { CURRENT_EMAIL_TEMPLATES } from './email-templates.sql.ts';
import type { EmailTexts } from './email-texts.ts';

type TemplateRow = RowOf<typeof CURRENT_EMAIL_TEMPLATES>;

/** The template of an e-mail: 0 is the version of the service's own. */
export interface ChosenTemplate extends EmailTexts {
  language: string;
  version: number;
  row: TemplateRow | undefined;
}

const DEFAULT: ChosenTemplate = { ...DEFAULT_TEXTS, language: 'en', version: 0, row: undefined };

/**
 * The template for an account with this language preference (behaviour 29.4): that of the tag, of the tag with fewer
 * parts (`cy` for `cy-GB`), the English one, or the service's own.
 */
export function chooseTemplate(rows: readonly TemplateRow[], language: string | null): ChosenTemplate {
  const parts = (language ?? 'en').toLowerCase().split('-');
  const tags = parts.map((_, index) => parts.slice(0, parts.length - index).join('-'));
  for (const tag of [...tags, 'en']) {
    const row = rows.find((each) => each.language === tag);
    if (row !== undefined) return chosen(row);
  }
  return DEFAULT;
}

export const chosen = (row: TemplateRow): ChosenTemplate => ({
  subject: row.subject,
  text: row.text_body,
  html: row.html_body,
  language: row.language,
  version: row.version,
  row,
});

export function currentTemplates(queryable: Queryable, code: string): Promise<TemplateRow[]> {
  return queryable.query(CURRENT_EMAIL_TEMPLATES, { code });
}

export { DEFAULT as DEFAULT_TEMPLATE };
