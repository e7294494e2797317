import {
  type EmailPreview,
  type EmailTemplate,
  type GetEmailTemplateRequest,
  LIMITS,
  type ListEmailTemplatesRequest,
  type ListEmailTemplatesResponse,
  type PreviewEmailTemplateRequest,
  type SetEmailTemplateRequest,
} from '@causeway/contracts';
import { auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { derivedId } from '../derived-id.ts';
import { unknownImportSupplier } from '../import-suppliers/unknown-import-supplier.ts';
import { type ChosenTemplate, chooseTemplate, chosen, currentTemplates, DEFAULT_TEMPLATE } from './choose-template.ts';
import { FIND_EMAIL_TEMPLATE, LIST_EMAIL_TEMPLATES, SET_EMAIL_TEMPLATE } from './email-templates.sql.ts';
import { tryTexts } from './render-template.ts';
import { SAMPLE_FACTS, templateValues } from './template-values.ts';

async function senderOf(context: Context, code: string) {
  const select = { email_sender: true, email_unsubscribe: true };
  const row = await context.database.prisma.importSupplier.findUnique({ where: { code }, select });
  if (row === null) throw unknownImportSupplier();
  return row;
}

/** How a template is tried: for an invented customer, with the supplier's sender. */
async function sampleValues(context: Context, code: string) {
  const sender = await senderOf(context, code);
  return { sender, values: templateValues({ ...SAMPLE_FACTS, ...sender }) };
}

/**
 * Sets the template of a language, as its next version (behaviour 29.4). Texts that cannot be rendered are
 * `email_template_invalid`, an unknown code is `import_supplier_does_not_exist`.
 */
export async function setEmailTemplate(context: Context, request: SetEmailTemplateRequest): Promise<EmailTemplate> {
  const { code, subject, text, html } = request;
  const language = request.language.toLowerCase();
  tryTexts({ subject, text, html }, (await sampleValues(context, code)).values);
  const audit = auditValues(context, derivedId('import_supplier', code));
  const [added] = await context.database.query(SET_EMAIL_TEMPLATE, { ...audit, code, language, subject, text, html });
  if (added === undefined) throw unknownImportSupplier();
  return getEmailTemplate(context, { code, language, version: added.version });
}

/**
 * The template that an account with this language gets; with a `version`, that one of exactly this language, and the
 * service's own if there is none. An unknown code is `import_supplier_does_not_exist`.
 */
export async function getEmailTemplate(context: Context, request: GetEmailTemplateRequest): Promise<EmailTemplate> {
  const { code, language, version } = request;
  await senderOf(context, code);
  if (version === undefined) return shown(chooseTemplate(await currentTemplates(context.database, code), language));
  const [row] = await context.database.query(FIND_EMAIL_TEMPLATE, { code, language: language.toLowerCase(), version });
  return shown(row === undefined ? DEFAULT_TEMPLATE : chosen(row));
}

function shown({ language, version, subject, text, html, row }: ChosenTemplate): EmailTemplate {
  const created_at = row === undefined ? null : utcDatetime(row.created_at);
  return { language, version, subject, text, html, person: row?.person ?? null, created_at };
}

/** The newest versions of all templates of a supplier, without their texts (behaviour 29.4). */
export async function listEmailTemplates(
  context: Context,
  { code }: ListEmailTemplatesRequest,
): Promise<ListEmailTemplatesResponse> {
  await senderOf(context, code);
  const rows = await context.database.query(LIST_EMAIL_TEMPLATES, { code, limit: LIMITS.list_default });
  return rows.map(({ created_at, ...row }) => ({ ...row, created_at: utcDatetime(created_at) }));
}

/** What an invented customer would get, with these texts or those that are used now (behaviour 29.4). */
export async function previewEmailTemplate(
  context: Context,
  request: PreviewEmailTemplateRequest,
): Promise<EmailPreview> {
  const { code, language } = request;
  const { sender, values } = await sampleValues(context, code);
  const now = chooseTemplate(await currentTemplates(context.database, code), language);
  const { subject = now.subject, text = now.text, html = now.html } = request;
  return { from: sender.email_sender, ...tryTexts({ subject, text, html }, values) };
}
