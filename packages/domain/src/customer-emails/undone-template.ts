import type { ChosenTemplate } from './choose-template.ts';

const SENDER = `{% if sender.name != '' %}{{ sender.name }}{% else %}We{% endif %}`;
const WHAT = `${SENDER} told you that your account has moved and has the number {{ account.service_account_number }}. We have taken that back: please do not use this number.`;
const TO_DO = 'Nothing. Your account is as it was before. We will write to you again if it moves.';
const FONT = `font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;

/** What customers get whose account was undone after they had been told of it (behaviour 30.4): the service's own, in English. */
export const UNDONE_TEMPLATE: ChosenTemplate = {
  subject: 'Please do not use the account number {{ account.service_account_number }}',
  text: `Hello,

${WHAT}

What you need to do
${TO_DO}

Questions? Reply to this e-mail and we will help you.
{% if sender.name != '' %}
{{ sender.name }}
{% endif %}{% if unsubscribe_url != '' %}
--
To unsubscribe: {{ unsubscribe_url }}{% endif %}
`,
  html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Your account number</title></head>
<body style="margin:0;padding:32px 12px;${FONT};font-size:16px;line-height:1.55;color:#1b2430">
<p>Hello,</p>
<p>${WHAT}</p>
<h2 style="font-size:17px">What you need to do</h2>
<p>${TO_DO}</p>
<p>Questions? Reply to this e-mail and we will help you.</p>
{% if unsubscribe_url != '' %}<p style="font-size:13px"><a href="{{ unsubscribe_url }}">Unsubscribe</a></p>{% endif %}
</body>
</html>
`,
  language: 'en',
  version: 0,
  row: undefined,
};
