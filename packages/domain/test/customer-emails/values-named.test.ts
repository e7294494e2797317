import { expect, test } from 'vitest';
import { namesOf } from '../../src/customer-emails/render-thread.ts';
import { valuesNamed } from '../../src/customer-emails/template-renderer.ts';
import { SAMPLE_FACTS, templateValues } from '../../src/customer-emails/template-values.ts';

const VALUES = templateValues({ ...SAMPLE_FACTS, email_sender: 'Northwind <a@b.example>', email_unsubscribe: null });
const given = (html: string) => {
  const found = namesOf({ subject: '', text: '', html });
  return 'names' in found ? valuesNamed(found.names, VALUES) : found;
};
const { customer, account, sender } = VALUES;

const TEXTS: [string, object][] = [
  ['Hello', {}],
  ['{{ account.service_account_number | upcase }}', { account: { service_account_number: 'A-7F3K9Q2M' } }],
  [
    '{% if customer.title == "" %}{{ sender.name }}{% endif %}',
    { customer: { title: 'Ms' }, sender: { name: 'Northwind' } },
  ],
  ['{% unless customer.title %}x{% endunless %}', { customer: { title: 'Ms' } }],
  [
    '{% case customer.title %}{% when sender.name %}x{% endcase %}',
    { customer: { title: 'Ms' }, sender: { name: 'Northwind' } },
  ],
  ['{% for i in (1..2) %}{% cycle customer.title, "x" %}{% endfor %}', { customer: { title: 'Ms' } }],
  ['{% liquid\n assign x = customer.title\n echo x\n %}', { customer: { title: 'Ms' } }],
  ['{% capture x %}{{ "a" | append: customer.title }}{% endcapture %}', { customer: { title: 'Ms' } }],
  ['{{ customer["title"] }}', { customer: { title: 'Ms' } }],
  ['{% assign x = "title" %}{{ customer[x] }}', { customer }],
  ['{{ customer[sender.name] }}', { customer, sender: { name: 'Northwind' } }],
  ['{% assign x = account %}{{ x.billing_name }}', { account }],
  ['{{ customer | json }}', { customer }],
  ['{{ sender.size }}', { sender }],
  ['{% if unsubscribe_url != "" %}x{% endif %}', { unsubscribe_url: '' }],
  ['{% assign customer = "x" %}{{ customer.title }}', {}],
];

test.each(TEXTS)('29.4.6 %s gets the values that it names, and no others', (html, expected) => {
  expect(given(html)).toEqual(expected);
});
