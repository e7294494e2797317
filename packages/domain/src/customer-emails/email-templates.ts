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
import { auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { utcDatetime, withUtcDatetimes } from '../shared/dates.ts';
import { derivedId } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';
import { unknownImportSupplier } from '../shared/find-import-supplier.ts';
import { type ChosenTemplate, chooseTemplate, chosen, currentTemplates, DEFAULT_TEMPLATE } from './choose-template.ts';
import {
  FIND_EMAIL_SENDER,
  FIND_EMAIL_TEMPLATE,
  LIST_EMAIL_TEMPLATES,
  SET_EMAIL_TEMPLATE,
} from './email-templates.sql.ts';
import type { TemplateRenderer } from './template-renderer.ts';
import { type EmailTexts, SAMPLE_FACTS, type TemplateValues, templateValues } from './template-values.ts';

const TAKES_TOO_LONG = 'Cannot be rendered: it takes too long. Make its loops shorter.';
const NEEDS_TOO_MUCH = 'Cannot be rendered: it needs too much memory. Make its texts and lists shorter.';

/** For trying texts before they are stored. */
interface TemplateContext extends Context {
  templates: TemplateRenderer;
}

async function senderOf(context: Context, code: string) {
  const [row] = await context.database.query(FIND_EMAIL_SENDER, { code });
  if (row === undefined) throw unknownImportSupplier();
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
export async function setEmailTemplate(
  context: TemplateContext,
  request: SetEmailTemplateRequest,
): Promise<EmailTemplate> {
  const { code, subject, text, html } = request;
  const language = request.language.toLowerCase();
  await tryTexts(context, { subject, text, html }, { ...(await sampleValues(context, code)), code });
  const audit = auditValues(context, derivedId('import_supplier', code));
  const [added] = await context.database.query(SET_EMAIL_TEMPLATE, { ...audit, code, language, subject, text, html });
  if (added === undefined) throw unknownImportSupplier();
  return getEmailTemplate(context, { code, language, version: added.version });
}

/**
 * The template that an account with this language gets; with a `version`, that one of exactly this language, and the
 * service's own if none exists. An unknown code is `import_supplier_does_not_exist`.
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
  return rows.map(withUtcDatetimes);
}

/** What an invented customer would get, with these texts or those that are used now (behaviour 29.4). */
export async function previewEmailTemplate(
  context: TemplateContext,
  request: PreviewEmailTemplateRequest,
): Promise<EmailPreview> {
  const { code, language } = request;
  const { sender, values } = await sampleValues(context, code);
  const now = chooseTemplate(await currentTemplates(context.database, code), language);
  const { subject = now.subject, text = now.text, html = now.html } = request;
  return { from: sender.email_sender, ...(await tryTexts(context, { subject, text, html }, { values, code })) };
}

/**
 * Renders the texts for these values, in a thread; those that cannot be rendered are `email_template_invalid`, with the name
 * of each. What Liquid says holds nothing but the template's own words, since the values are invented.
 */
async function tryTexts(
  { templates }: TemplateContext,
  texts: EmailTexts,
  { values, ...of }: { values: TemplateValues; code: string },
): Promise<EmailTexts> {
  const rendered = await templates.render(texts, values, of);
  if ('texts' in rendered) return rendered.texts;
  if ('faults' in rendered) {
    const errors = rendered.faults.map((fault) => ({ ...fault, code: 'email_template_invalid' as const }));
    throw new DomainError('email_template_invalid', errors[0]?.detail ?? '', { errors });
  }
  const { unanswered } = rendered;
  if (unanswered === 'out_of_cpu_time') throw new DomainError('email_template_invalid', TAKES_TOO_LONG);
  if (unanswered === 'out_of_memory') throw new DomainError('email_template_invalid', NEEDS_TOO_MUCH);
  const detail =
    'The template could not be tried now, because the service is busy. Nothing was stored: try again later.';
  throw new DomainError('service_unavailable', detail);
}
