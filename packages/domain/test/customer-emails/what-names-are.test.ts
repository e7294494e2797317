import { describe, expect, test } from 'vitest';
import { namesOf } from '../../src/customer-emails/render-thread.ts';
import { valuesNamed } from '../../src/customer-emails/template-renderer.ts';
import {
  isAccountNumber,
  isCompanyName,
  isName,
  SAMPLE_FACTS,
  templateValues,
} from '../../src/customer-emails/template-values.ts';

const PLACES = [
  ...['Pay at https://evil.example/now', 'http://1.2.3.4', 'ftp://x', 'evil.example', 'pay at EVIL.COM today', 't.co'],
  ...[
    'Look:t.me/evil',
    'www.evil',
    'mailto:pay',
    'pay@evil.example',
    'pay＠evil.example',
    'evil．example',
    'evil。example',
  ],
  ...[
    'ev\u200bil.exam\u00adple',
    'evil\u200b.example',
    'Pay 10.20.30.40',
    'Call +44 20 7946 0958',
    'Call 0800-123-456',
    'Call 0113–496–0123',
    'X.COM',
    'T.CO/XYZ',
    '[2001:db8::1]',
    'text 85258',
    'evil . com',
    'evil\uFE0F.com',
    'St.John',
    'Your account is blocked, pay at evil dot com or ring Mr Smith',
  ],
];
const NAMES = [
  ...['Zoë', "O'Hartley & Sons", 'J. R. Hartley', 'J.R. Hartley', 'Dear Ms Hartley', 'Dr. Müller-Lüdenscheidt', ''],
  ...[
    '山田 太郎',
    'J.R.R. Tolkien',
    'Mr & Mrs A.B. Jones',
    'Siân O’Brien-Nuñez Jr.',
    'Dr.-Ing. O‘Brien',
    '“Buddy” Holly',
    'Müller + Söhne',
  ],
];
const COMPANIES = ['Flat 12 Tenants Ltd.', 'Northwind Energy 2026 Ltd', 'Studio 54'];
const NUMBERS = [
  'NW-0001482',
  'NW.000.1482',
  '1234567890',
  'A1/B 12',
  '850 024 778 812',
  '2026.04.17-1',
  'NW 0001482',
  'ACC 00123',
];
const NUMBERS_WITH_PLACES = [
  ...['evil.example', 'see https://x', 'a@b', 'www.x', 'EVIL.COM/pay', 't.co/1', 'X1.COM', '10.20.30.40'],
  ...['REFUND: GO-PAY.COM?ID', 'CALL 0900-123456 NOW', 'tel:12345', 'Pay 500GBP 2day t0 07700900123'],
];

describe('29.4.7 a text that is', () => {
  test.each(PLACES)('%j is no name', (text) => expect([isName(text), isCompanyName(text)]).toEqual([false, false]));
  test.each(NAMES)('%j is a name', (text) => expect([isName(text), isCompanyName(text)]).toEqual([true, true]));
  test.each(COMPANIES)('%j is the name of a company', (text) => expect(isCompanyName(text)).toBe(true));
  test.each(NUMBERS)('%j is a number', (text) => expect(isAccountNumber(text)).toBe(true));
  test.each(NUMBERS_WITH_PLACES)('%j is no number', (text) => expect(isAccountNumber(text)).toBe(false));
});

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
