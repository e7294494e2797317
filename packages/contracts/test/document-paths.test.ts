import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { pathBelowRoot, percentDecode } from '../src/document-path.ts';
import { DocumentPath } from '../src/formats.ts';
import { problems } from './support.ts';

const refused = (path: string) => problems(DocumentPath, path).length > 0;

test.each([
  'a%252eb',
  '%252e%252e/b',
  'a/%25252e%25252e/b',
  'a%252fb',
  'a%5cb',
  'a%255Cb',
  'a%00',
  'a%2500b',
  'a%0ab',
  '%%32e',
  'a/%2%65%2%65',
  'a/%25%32%65/b',
  '%c0%ae%c0%ae/b',
  '%c0%af',
  '%e0%80%ae',
  '%u002e%u002e/b',
  '..;',
  '..;/b',
  'a/..;x=1/b',
  '.;a',
  'a/;x/b',
  'a/..%3b/b',
  'a/..%253bx/b',
  'a/.. /b',
  'a/．．/b',
  'a/．．／b',
  'a／..／b',
  'a/‥/b',
  'a/\u202e/b',
  'a\u200b/..\u200b/b',
  'a/..\u200b/b',
  'a/.\u00ad./b',
  'a/.\u200d./b',
  'a/\u2800/b',
  'a/%E2%80%AE/b',
  'a/%ef%bc%8e%ef%bc%8e/b',
  'a/ /b',
  ' /b',
  'a/\u3000',
  '/',
  '//a',
  '/ /a',
  '/../a',
  '/./a',
  '/;x/a',
  '/s3:a',
  '/C:/a',
  '/%2fa',
  '／a',
  '\u200b/a',
  `%${'25'.repeat(300)}`,
  `%${'25'.repeat(300)}2e`,
  `${'%25'.repeat(300)}2e`,
])('2.3 document paths: %j is refused', (path) => {
  expect(problems(DocumentPath, path)).toEqual([': invalid_document_path']);
});

test.each([
  '%20',
  'a%20b/c.pdf',
  '100%',
  '100%25',
  'a%2520b',
  'a;b/c',
  'v1;type=a/b',
  'Zo%C3%AB.pdf',
  '...',
  'a..b',
  '..a',
  'a%',
  'ＮＷ/1.pdf',
  'می\u200cخواهم/1.pdf',
  'a b /c.pdf',
  'Zo%EB.pdf',
  '/letters/1.pdf',
  '/a',
])('2.3 document paths: %j is taken', (path) => {
  expect(problems(DocumentPath, path)).toEqual([]);
});

test.each([
  `a${'\u0301'.repeat(500)}${'\u0323'.repeat(500)}`,
  `a${'\u0301'.repeat(16)}${'\u0323'.repeat(16)}/b`,
  `a${'%CC%81'.repeat(80)}${'%CC%A3'.repeat(80)}`,
  `a/b${'%25CC%2581'.repeat(16)}${'\u0323'.repeat(16)}`,
])('2.3 document paths: more than 30 combining marks in a row are refused and never normalised: %j', (path) => {
  const normalise = vi.spyOn(String.prototype, 'normalize');
  expect(problems(DocumentPath, path)).toEqual([': invalid_document_path']);
  expect(normalise.mock.contexts.filter((text) => /\p{M}{31}/u.test(String(text)))).toEqual([]);
  normalise.mockRestore();
});

test('2.3 document paths: 30 combining marks in a row are taken', () => {
  expect(problems(DocumentPath, `a${'\u0301'.repeat(30)}/${'\u0301'.repeat(30)}`)).toEqual([]);
});

test('2.3 document paths: whatever bytes are percent-encoded, they are read as UTF-8 where they are and otherwise one by one', () => {
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0x80, 0x9f, 0xa0, 0xbf, 0x41));
  const encoded = (bytes: Iterable<number>) =>
    [...bytes].map((code) => `%${code.toString(16).padStart(2, '0')}`).join('');
  fc.assert(
    fc.property(fc.array(byte, { minLength: 1, maxLength: 4 }), (bytes) => {
      const text = Buffer.from(bytes).toString('utf8');
      const isUtf8 = Buffer.from(text).equals(Buffer.from(bytes));
      const decoded = percentDecode(`a${encoded(bytes)}%`);
      if (isUtf8) expect(decoded).toBe(`a${text}%`);
      else if (bytes.length === 1) expect(decoded).toBe(`a${String.fromCharCode(...bytes)}%`);
    }),
    { numRuns: 2_000 },
  );
});

test('2.3 document paths: a path is as long as it has characters, its leading slash aside', () => {
  expect(problems(DocumentPath, 'é'.repeat(1_024))).toEqual([]);
  expect(problems(DocumentPath, '🙂'.repeat(1_024))).toEqual([]);
  expect(problems(DocumentPath, '🙂'.repeat(1_025))).toEqual([': invalid_document_path']);
  for (const character of ['a', '🙂']) {
    expect(problems(DocumentPath, `/${character.repeat(1_024)}`)).toEqual([]);
    expect(problems(DocumentPath, `/${character.repeat(1_025)}`)).toEqual([': invalid_document_path']);
  }
});

test('2.3 document paths: however often it is decoded and whatever parameters are cut off, what is taken stays below the root', () => {
  const encode = (text: string) => `%${text.charCodeAt(0).toString(16).padStart(2, '0')}`;
  const sign = fc.constantFrom('.', '..', '/', '\\', ';', '%', '%25', 'a', '2e', '2', 'e', '\u0000', '%u002e', '．');
  const part = fc.tuple(sign, fc.nat(3)).map(([text, times]) => {
    let encoded: string = text;
    for (let time = 0; time < times; time++) encoded = [...encoded].map(encode).join('');
    return encoded;
  });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
      let path = parts.join('');
      fc.pre(!refused(path));
      path = pathBelowRoot(path);
      const depth = path.split('/').length;
      for (let time = 0; time < 12; time++) {
        path = path.replace(/%([0-9a-f]{2})/gi, (_whole, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
        const segments = path.split('/').map((segment) => segment.normalize('NFKC').replace(/;.*/s, ''));
        expect(segments.length).toBe(depth);
        expect(segments.filter((segment) => segment === '' || ['.', '..'].includes(segment.trim()))).toEqual([]);
        expect(path.includes('\\') || path.includes('\0')).toBe(false);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('2.3 document paths: the worst path of its length is judged without effort', () => {
  for (const path of [
    '%25'.repeat(341),
    `%${'25'.repeat(511)}`,
    '%'.repeat(1024),
    ';'.repeat(1024),
    `a${' '.repeat(1022)}b`,
    '%2'.repeat(512),
  ]) {
    for (let time = 0; time < 2_000; time++) refused(path);
  }
  expect(refused('%'.repeat(1024))).toBe(false);
});
