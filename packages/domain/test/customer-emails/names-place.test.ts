import { describe, expect, test } from 'vitest';
import { namesPlace, numberNamesPlace } from '../../src/customer-emails/names-place.ts';

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
  ],
];
const NAMES = [
  ...[
    'Zoë',
    "O'Hartley & Sons",
    'J. R. Hartley',
    'J.R. Hartley',
    'J.Smith',
    'Dear Ms Hartley',
    'Dr. Müller-Lüdenscheidt',
    '',
  ],
  ...['Flat 12 Tenants Ltd.', 'Northwind Energy 2026 Ltd', '山田 太郎', 'Mr & Mrs A.B. Jones'],
];
const NUMBERS = ['NW-0001482', 'NW.ABC.123', 'NW.000.1482', '1234567890', 'A/B 12', '2026.04.17-1'];
const NUMBERS_WITH_PLACES = ['evil.example', 'see https://x', 'a@b', 'www.x', 'EVIL.COM/pay', 't.co/1'];

describe('29.4.7 a text that', () => {
  test.each(PLACES)('says %j leads elsewhere', (text) => expect(namesPlace(text)).toBe(true));
  test.each(NAMES)('says %j is a name', (text) => expect(namesPlace(text)).toBe(false));
  test.each(NUMBERS)('is the number %j leads nowhere', (text) => expect(numberNamesPlace(text)).toBe(false));
  test.each(NUMBERS_WITH_PLACES)('is %j is no number', (text) => expect(numberNamesPlace(text)).toBe(true));
});
