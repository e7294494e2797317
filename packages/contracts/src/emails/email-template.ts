import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { LanguageTag, UtcDatetime } from '../formats.ts';
import { ImportSupplierCodeInPath } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { wholeNumber } from '../numbers.ts';
import { prose, text } from '../text.ts';

const exampleTexts = {
  subject: 'Your energy account has moved: {{ account.service_account_number }}',
  text: 'Dear {{ customer.name }},\n\nyour new account number is {{ account.service_account_number }}.\n',
  html: '<p>Dear {{ customer.name }},</p><p>your new account number is {{ account.service_account_number }}.</p>',
};
const code = field(ImportSupplierCodeInPath, 'The code of the import supplier.');
const language = field(
  LanguageTag,
  'The language, as a BCP 47 tag: en is for en-GB too, if that has no template of its own.',
  'en',
);
const texts = {
  subject: field(
    text(LIMITS.email_subject),
    `The subject as a Liquid template, one line of up to ${limitText(LIMITS.email_subject)} characters; rendered, up to ${limitText(LIMITS.email_rendered_subject)}.`,
    exampleTexts.subject,
  ),
  text: field(
    prose(LIMITS.email_text),
    `The text as a Liquid template, up to ${limitText(LIMITS.email_text)} characters; rendered, up to ${limitText(LIMITS.email_rendered_text)}.`,
    exampleTexts.text,
  ),
  html: field(
    prose(LIMITS.email_html),
    `The HTML as a Liquid template, up to ${limitText(LIMITS.email_html)} characters; rendered, up to ${limitText(LIMITS.email_rendered_html)}. Every value is escaped.`,
    exampleTexts.html,
  ),
};

/** The texts of the e-mails of an import supplier in one language (behaviour 29.4). */
export const SetEmailTemplateRequest = z
  .object({ code, language, ...texts })
  .apply(
    documented,
    'SetEmailTemplateRequest',
    'Sets the template of a language, as its next version; e-mails that are not sent yet are sent with it.',
  );
export type SetEmailTemplateRequest = z.infer<typeof SetEmailTemplateRequest>;

const version = field(
  z.number(),
  'The version: the last one is used. 0 is the template that the service has itself, in English.',
  3,
);
const exampleTemplate = {
  language: 'en',
  version: 3,
  ...exampleTexts,
  person: 'Robin Marsh',
  created_at: '2026-04-02T10:11:00Z',
};

/** One version of a template. */
export const EmailTemplate = z
  .object({
    language: field(z.string(), 'The language, in lower case.', 'en'),
    version,
    subject: field(z.string(), 'The subject.', exampleTexts.subject),
    text: field(z.string(), 'The text.', exampleTexts.text),
    html: field(z.string(), 'The HTML.', exampleTexts.html),
    person: field(z.string().nullable(), 'Who set it; null if the key names nobody.', exampleTemplate.person),
    created_at: field(
      UtcDatetime.nullable(),
      'When it was set, in UTC; null of version 0.',
      exampleTemplate.created_at,
    ),
  })
  .apply(documented, 'EmailTemplate', 'A version of a template.');
export type EmailTemplate = z.infer<typeof EmailTemplate>;

export const GetEmailTemplateRequest = z
  .object({
    code,
    language,
    version: optional(wholeNumber(0, 1_000_000), 'The version; the last one if it is left out.', 3),
  })
  .meta({
    id: 'GetEmailTemplateRequest',
    description: 'Asks for the template that an account with this language gets, or for one version of exactly it.',
    examples: [{ code: 'NORTHWIND-2026', language: 'en' }],
  });
export type GetEmailTemplateRequest = z.infer<typeof GetEmailTemplateRequest>;

export const ListEmailTemplatesRequest = z
  .object({ code })
  .apply(documented, 'ListEmailTemplatesRequest', 'Asks for the versions of all templates of an import supplier.');
export type ListEmailTemplatesRequest = z.infer<typeof ListEmailTemplatesRequest>;

export const ListEmailTemplatesResponse = z
  .array(EmailTemplate.omit({ text: true, html: true }))
  .apply(
    documented,
    'ListEmailTemplatesResponse',
    `The newest ${limitText(LIMITS.list_default)} versions, the last ones first; without their texts.`,
  );
export type ListEmailTemplatesResponse = z.infer<typeof ListEmailTemplatesResponse>;

export const PreviewEmailTemplateRequest = z
  .object({
    code,
    language,
    subject: texts.subject.optional(),
    text: texts.text.optional(),
    html: texts.html.optional(),
  })
  .meta({
    id: 'PreviewEmailTemplateRequest',
    description: 'Renders texts for an invented customer. Those that are left out are the ones that are used now.',
    examples: [{ code: 'NORTHWIND-2026', language: 'en', subject: exampleTexts.subject }],
  });
export type PreviewEmailTemplateRequest = z.infer<typeof PreviewEmailTemplateRequest>;

/** What an invented customer would get. */
export const EmailPreview = z
  .object({
    from: field(
      z.string().nullable(),
      'The sender; null if the import supplier has none.',
      'Northwind Energy <moving@northwind.example>',
    ),
    subject: field(z.string(), 'The subject.', 'Your energy account has moved: A-7F3K9Q2M'),
    text: field(z.string(), 'The text.', 'Dear Zoe Hartley,\n\nyour new account number is A-7F3K9Q2M.\n'),
    html: field(z.string(), 'The HTML.', '<p>Dear Zoe Hartley,</p><p>your new account number is A-7F3K9Q2M.</p>'),
  })
  .apply(documented, 'EmailPreview', 'What an invented customer would get.');
export type EmailPreview = z.infer<typeof EmailPreview>;
