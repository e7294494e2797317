import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { hasManyMarks } from '../src/characters.ts';
import {
  CreateOperationsTeamRequest,
  CreateOrganisationRequest,
  ImportPaymentInstructionRequest,
} from '../src/index.ts';
import {
  account,
  accountProblems,
  charge,
  noteProblems,
  problems,
  statement,
  statementProblems,
  transactionProblems,
} from './support.ts';

/** Every place where a text decides what is the same thing, as a call that gives it there. */
const identifiers: Record<string, (text: string) => string[]> = {
  user_identifier: (text) => accountProblems({ customers: [{ family_name: 'Hartley', user_identifier: text }] }),
  'team name': (text) => problems(CreateOperationsTeamRequest, { name: text }),
  'organisation name': (text) => problems(CreateOrganisationRequest, { name: text }),
};

/** Where a text may name something stored: there another rule refuses the new ones. */
const ofStored: Record<string, (text: string) => string[]> = {
  external_account_number: (text) => accountProblems({ external_account_number: text }),
  transaction_id: (text) => transactionProblems({ ...charge, transaction_id: text }),
  statement_id: (text) => statementProblems({ ...statement, statement_id: text }),
  'payment reference': (text) =>
    problems(ImportPaymentInstructionRequest, { ...account(), vendor: 'STRIPE', type: 'CARD', reference: text }),
};
const codes = (found: string[]) => found.map((problem) => problem.split(': ')[1]);

afterEach(() => vi.restoreAllMocks());

describe.each(Object.entries(identifiers))('an identifier: %s', (_name, check) => {
  test.each(['NW-0001482', 'A/1 B', 'Siân', '日本 🙂', 'محمد', 'É-7', "O'Brien & Sons", 'x'.repeat(50)])(
    '2.1 takes %j',
    (text) => {
      expect(check(text)).toEqual([]);
    },
  );

  test.each([
    [' NW-1', 'surrounding_white_space'],
    ['NW-1 ', 'surrounding_white_space'],
    ['NW-1\n', 'surrounding_white_space'],
    ['\u00a0NW-1', 'surrounding_white_space'],
    ['\ufeffNW-1', 'surrounding_white_space'],
    ['NW\u200b-1', 'invalid_characters'],
    ['NW\u200d-1', 'invalid_characters'],
    ['NW-1\u200e', 'invalid_characters'],
    ['\u202eNW-1', 'invalid_characters'],
    ['NW\u00ad-1', 'invalid_characters'],
    ['NW\u034f-1', 'invalid_characters'],
    ['NW-1\ufe0f', 'invalid_characters'],
    ['NW\u3164-1', 'invalid_characters'],
    ['NW\u2800-1', 'invalid_characters'],
    ['NW\u{e0041}-1', 'invalid_characters'],
    ['NW\t-1', 'invalid_characters'],
    ['NW\u001b[31m-1', 'invalid_characters'],
    ['NW\u0378-1', 'invalid_characters'],
    ['NW\ue000-1', 'invalid_characters'],
    ['NW\u2028-1', 'invalid_characters'],
    ['NW\u1680-1', 'invalid_characters'],
    ['Sia\u0302n', 'not_normalised'],
    ['\u212b', 'not_normalised'],
    ['ＮＷ-1', 'not_normalised'],
    ['NW\u00a01', 'invalid_characters'],
    ['ﬁ-1', 'not_normalised'],
  ])('2.1 refuses %j as %s, and says only that', (text, code) => {
    expect(codes(check(text))).toEqual([code]);
  });

  test('2.1 takes 30 combining marks in a row', () => {
    expect(check(`q${'\u0301'.repeat(30)}`)).toEqual([]);
  });

  test.each([
    '\u0301'.repeat(31),
    `q${'\u0301'.repeat(16)}${'\u0323'.repeat(16)}`,
    `q${'\u0301\uff9e'.repeat(16)}`,
    `q${'\u{1d165}'.repeat(31)}`,
    `q${'\u0301'.repeat(30)}r${'\u0301'.repeat(15)}\u0323${'\u0301'.repeat(15)}`,
  ])('2.1 refuses more combining marks in a row, and never normalises them: %j', (text) => {
    const normalise = vi.spyOn(String.prototype, 'normalize');
    expect(codes(check(text))).toContain('invalid_characters');
    expect(normalise).not.toHaveBeenCalled();
  });

  test('2.1 no two that are taken differ only by what nobody sees or types', () => {
    const hidden = fc.constantFrom(
      ' ',
      '\u00a0',
      '\u200b',
      '\u200d',
      '\u00ad',
      '\ufe0f',
      '\u2060',
      '\u202e',
      '\t',
      '\u3164',
    );
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
        hidden,
        fc.nat(12),
        (text, sign, at) => {
          fc.pre(check(text).length === 0);
          expect(text.normalize('NFKC')).toBe(text);
          expect(text.trim()).toBe(text);
          for (const form of ['NFD', 'NFKD'] as const) {
            const other = text.normalize(form);
            if (other !== text) expect(codes(check(other))).toEqual(['not_normalised']);
          }
          const other = [...text].toSpliced(at, 0, sign).join('');
          const isSpaceInside = sign === ' ' && at > 0 && at < [...text].length;
          if (!isSpaceInside) expect(check(other)).not.toEqual([]);
        },
      ),
    );
  });
});

describe.each(Object.entries(ofStored))('an identifier of what may be stored: %s', (_name, check) => {
  test.each(['NW-1', 'NW-1 ', 'Sia\u0302n', 'ＮＷ-1', 'NW\u200b-1', 'NW\u0007'])('2.1 takes %j', (text) => {
    expect(check(text)).toEqual([]);
  });

  test.each([
    ['', 'blank'],
    [' \n', 'blank'],
    ['a\u0000', 'invalid_characters'],
    ['a\ud800', 'invalid_characters'],
    ['x'.repeat(300), 'max_length'],
  ])('2.1 refuses %j as %s', (text, code) => {
    expect(codes(check(text))).toEqual([code]);
  });
});

const named = (text: string) =>
  codes(
    accountProblems({ billing_name: text, customers: [{ given_name: text, family_name: text, salutation: text }] }),
  );

describe('the name of a person', () => {
  test.each([
    "O'Brien",
    'O’Brien',
    'Siân',
    'Sia\u0302n',
    '渡辺',
    '辻\u{e0100}',
    'محمد',
    'علی\u200cرضا',
    'क्\u200dष',
    'ന്\u200d',
    'ශ්\u200dරී',
    'Anne-Marie ',
    ' Hartley',
    'Ｙａｍａｄａ',
    'Nguyễn Thị Minh Khai',
    'Þórr',
    'Jean‐Luc',
    '𠮷野',
    'ᠮᠣᠩᠭᠣᠯ\u180b',
    'Mbappé Lottin, Jr.',
  ])('2.2 is taken as it is: %j', (name) => {
    expect(named(name)).toEqual([]);
  });

  test.each([
    'Hart\nley',
    'Hart\tley',
    'Hart\u001b[31mley',
    'Hart\u0085ley',
    'Hart\u2028ley',
    '\u202eyeltraH',
    'Hart\u2066ley',
    'Hart\u200ely',
    'Hart\u200bley',
    'Hart\u200dley',
    'Hart\u200cley',
    '\u200dعلی',
    'Hart\u00adley',
    'Hart\ufeffley',
    'Hart\u3164ley',
    'Hart\u{e0041}ley',
    'Hart\u0378ley',
    'Hart\uffffley',
  ])('2.2 is refused with what cannot be seen or written in it: %j', (name) => {
    expect(new Set(named(name))).toEqual(new Set(['invalid_characters']));
  });

  test('2.2 is taken whatever letters, marks and spaces it is made of, and refused with any control or bidi character', () => {
    const sign = fc.constantFrom(
      ...Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code + 0x80)),
      ...['\u001b', '\n', '\r', '\u007f', '\u061c', '\u200e', '\u200f', '\u2028', '\u2029', '\ufff9'],
      ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069', '\u2060'],
    );
    const letter = fc.constantFrom(...'aÉßøłŽяΩעحप्ரಠไ日한ꯍ’- ́'.normalize('NFC'));
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 12 }), sign, fc.nat(12), (letters, bad, at) => {
        const name = ['A', ...letters];
        expect(named(name.join(''))).toEqual([]);
        expect(new Set(named(name.toSpliced(at, 0, bad).join('')))).toEqual(new Set(['invalid_characters']));
      }),
    );
  });
});

describe('the text of a note', () => {
  const body = (text: string) => codes(noteProblems({ body: text }));
  test.each([
    'One\nTwo\r\n\tThree',
    'Call \u202d+44 7700 900123\u202c',
    'soft\u00adhyphen \ufeff \u200b',
    '👨‍👩‍👧 🇬🇧',
    'ＮＷ',
  ])('2.2 may hold lines, tabs and what was pasted: %j', (text) => {
    expect(body(text)).toEqual([]);
  });
  test.each(['\u001b[2J', 'a\u0008b', 'a\u0000b', 'a\u007fb', 'a\u009bb'])(
    '2.2 is refused with a control character: %j',
    (text) => {
      expect(body(text)).toEqual(['invalid_characters']);
    },
  );
});

const MARK = /[\p{M}\uff9e\uff9f]/u;

/** The length of the longest run of marks, counted one by one. */
function longestRun(text: string): number {
  let [run, longest] = [0, 0];
  for (const character of text) {
    run = MARK.test(character) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

const MARKS = ['\u0300', '\u0301', '\u093f', '\uff9e', '\u{11101}', '\u{e0100}'];
const OTHERS = ['a', 'é', '\ufdfa', '😀', '\ud83d', '\udc00'];
const runs = fc
  .tuple(fc.constantFrom(...MARKS, ...OTHERS), fc.integer({ min: 1, max: 35 }))
  .map(([character, count]) => character.repeat(count));

test('2.1 more than 30 marks in a row are found wherever they stand, whatever is around them', () => {
  const texts = fc.array(runs, { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      expect(hasManyMarks(text)).toBe(longestRun(text) > 30);
    }),
    { numRuns: 2_000 },
  );
});

test.each(MARKS)('2.1 identifiers: 31 of the mark %j are found at every place of a text, and 30 are not', (mark) => {
  for (let before = 0; before < 70; before += 1) {
    expect(hasManyMarks('a'.repeat(before) + mark.repeat(31))).toBe(true);
    expect(hasManyMarks(`${'a'.repeat(before)}${mark.repeat(30)}b${mark.repeat(30)}`)).toBe(false);
  }
});
