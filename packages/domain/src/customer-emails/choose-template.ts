import type { TemplateFailure } from '@causeway/contracts';
import type { Queryable, RowOf } from '@causeway/db';
import type { Unanswered } from '../shared/ask-thread.ts';
import { CURRENT_EMAIL_TEMPLATES } from './email-templates.sql.ts';
import type { Rendered, TemplateRenderer } from './template-renderer.ts';
import type { EmailTexts, TemplateValues } from './template-values.ts';

type TemplateRow = RowOf<typeof CURRENT_EMAIL_TEMPLATES>;

/** The template of an e-mail: 0 is the version of the service's own. */
export interface ChosenTemplate extends EmailTexts {
  language: string;
  version: number;
  row: TemplateRow | undefined;
}

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
  return DEFAULT_TEMPLATE;
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

/** No name and no salutation: those are texts of others, and anyone who wants them in an e-mail sets a template. */
const GREETING = 'Hello';
/** A number is short, and has no sentence in it. */
const IF_KNOWN = `{% assign previous = account.external_account_number %}{% assign words = previous | split: ' ' %}{% if previous != '' and previous.size <= 40 and words.size <= 3 %}`;
const MOVED = `Your account has moved to {% if sender.name != '' %}{{ sender.name }}{% else %}our new system{% endif %}.`;
const TO_DO = 'Nothing. When you next contact us, please quote your new account number.';
const WHY = 'You are getting this e-mail because your account has moved.';
const FONT = `font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;

const TEXT = `${GREETING},

${MOVED} Your new account number is:

    {{ account.service_account_number }}
${IF_KNOWN}
Your previous account number was {{ previous }}. You may still find it on older letters.
{% endif %}
What you need to do
${TO_DO}

Questions? Reply to this e-mail and we will help you.
{% if sender.name != '' %}
{{ sender.name }}
{% endif %}
--
${WHY}{% if unsubscribe_url != '' %}
To unsubscribe: {{ unsubscribe_url }}{% endif %}
`;

/** Tables and styles in the tags: mail programs know little else. The styles above only refine it, for those that do. */
const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>Your account has moved</title>
<style>
:root { color-scheme: light dark; }
@media (max-width: 480px) {
  .sheet { padding: 28px 22px !important; }
  .edge { padding-left: 23px !important; padding-right: 23px !important; }
  .number { font-size: 26px !important; }
}
@media (prefers-color-scheme: dark) {
  .page { background: #14171c !important; }
  .sheet { background: #1e232b !important; border-color: #333b47 !important; }
  .card { background: #16283d !important; border-color: #2d4a6d !important; }
  .ink { color: #f1f4f8 !important; }
  .quiet { color: #a9b4c2 !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f2f4f7;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden">Your new account number is {{ account.service_account_number }}.</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="page" style="background:#f2f4f7">
<tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
{% if sender.name != '' %}<tr><td class="ink edge" style="padding:0 41px 16px;${FONT};font-size:15px;font-weight:600;color:#1b2430">{{ sender.name }}</td></tr>{% endif %}
<tr><td class="sheet" style="padding:36px 40px;background:#ffffff;border:1px solid #dfe4ea;border-radius:12px;text-align:left">
<h1 class="ink" style="margin:0 0 20px;${FONT};font-size:24px;line-height:1.25;font-weight:650;color:#1b2430">Your account has moved</h1>
<p class="ink" style="margin:0 0 14px;${FONT};font-size:16px;line-height:1.55;color:#1b2430">${GREETING},</p>
<p class="ink" style="margin:0 0 22px;${FONT};font-size:16px;line-height:1.55;color:#1b2430">${MOVED} From now on it has a new number.</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td class="card" style="padding:20px 22px;background:#eef5fd;border:1px solid #c9dff6;border-radius:10px">
<p class="quiet" style="margin:0 0 4px;${FONT};font-size:14px;line-height:1.4;color:#4a5768">Your new account number</p>
<p class="ink number" style="margin:0 0 12px;font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace;font-size:30px;line-height:1.2;font-weight:600;letter-spacing:.02em;color:#0f3a66">{{ account.service_account_number }}</p>
${IF_KNOWN}<p class="quiet" style="margin:0;${FONT};font-size:14px;line-height:1.5;color:#4a5768;overflow-wrap:anywhere">Your previous account number was <span style="display:inline-block;max-width:100%">{{ previous }}</span>. You may still find it on older letters.</p>{% endif %}
</td></tr>
</table>
<h2 class="ink" style="margin:28px 0 6px;${FONT};font-size:17px;line-height:1.35;font-weight:650;color:#1b2430">What you need to do</h2>
<p class="ink" style="margin:0 0 14px;${FONT};font-size:16px;line-height:1.55;color:#1b2430">${TO_DO}</p>
<p class="ink" style="margin:0;${FONT};font-size:16px;line-height:1.55;color:#1b2430">Questions? Reply to this e-mail and we will help you.</p>
</td></tr>
<tr><td class="quiet edge" style="padding:18px 41px 0;${FONT};font-size:13px;line-height:1.5;color:#5a6676;text-align:left">${WHY}{% if unsubscribe_url != '' %} <a class="quiet" href="{{ unsubscribe_url }}" style="color:#5a6676">Unsubscribe</a>{% endif %}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;

/** What a supplier's customers get where it has no template of its own: in English. */
export const DEFAULT_TEXTS: EmailTexts = {
  subject: 'Your new account number: {{ account.service_account_number }}',
  text: TEXT,
  html: HTML,
};

export const DEFAULT_TEMPLATE: ChosenTemplate = { ...DEFAULT_TEXTS, language: 'en', version: 0, row: undefined };

/** An e-mail's texts, or why they are not ready, which is not known to be the fault of a template. */
export type RenderedEmail = ({ texts: EmailTexts } | { unanswered: Unanswered }) & {
  template: ChosenTemplate;
  /** Why the supplier's template was not used (behaviour 29.4). */
  failure: TemplateFailure | null;
};

/**
 * A template that was tried when it was set may fail for other values: nobody goes without the message for that, but gets the
 * service's own. Only what is the template's own fault counts as that, and not that a machine is busy.
 */
export async function renderEmail(
  renderer: TemplateRenderer,
  template: ChosenTemplate,
  { code, values }: { code: string; values: TemplateValues },
): Promise<RenderedEmail> {
  const begunAt = performance.now();
  const rendered = await renderer.render(template, values, { code });
  if ('texts' in rendered) return { ...rendered, template, failure: null };
  const failure = failureOf(rendered);
  if (failure === undefined) return { unanswered: unansweredOf(rendered), template, failure: null };
  const timeoutMs = Math.max(0, renderer.timeoutMs - (performance.now() - begunAt));
  const own = await renderer.render(DEFAULT_TEMPLATE, values, { code, timeoutMs });
  if ('texts' in own) return { ...own, template: DEFAULT_TEMPLATE, failure };
  return { unanswered: unansweredOf(own), template, failure: null };
}

function failureOf(rendered: Rendered): TemplateFailure | undefined {
  if ('faults' in rendered) return 'CANNOT_BE_RENDERED';
  return 'unanswered' in rendered && rendered.unanswered === 'out_of_cpu_time' ? 'TAKES_TOO_LONG' : undefined;
}

const unansweredOf = (rendered: Rendered): Unanswered => ('unanswered' in rendered ? rendered.unanswered : 'failed');
