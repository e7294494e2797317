import type { FieldCode } from './field-codes.ts';

/** A fault in the characters of a text. */
export interface TextFault {
  code: FieldCode;
  detail: string;
}

const NOT_WHITE_SPACE = /\S/;
const PLAIN_LINE = /^[ -~]*$/;
const PLAIN_IDENTIFIER = /^[!-~](?:[ -~]*[!-~])?$/;
const SPACE_AROUND = /^\s|\s$/;

// Some scripts need joiners and variation selectors: Persian, Malayalam, Mongolian, names in kanji.
const SCRIPTS_THAT_JOIN = [
  ...['Arab', 'Syrc', 'Nkoo', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh'],
  ...['Khmr', 'Mymr', 'Tibt', 'Hani', 'Hira', 'Kana'],
];
const JOINABLE = `[${SCRIPTS_THAT_JOIN.map((script) => `\\p{scx=${script}}`).join('')}\\p{Extended_Pictographic}]`;
const JOINER = '[\\u200c\\u200d\\u180e\\p{VS}]';
const HIDDEN_IN_LINE = new RegExp(
  `[\\p{Cc}\\p{Cs}\\p{Cn}\\p{Zl}\\p{Zp}\\u2800\\ufff9-\\ufffb]|(?!${JOINER})\\p{DI}|(?<!${JOINABLE})${JOINER}`,
  'u',
);
const HIDDEN_IN_IDENTIFIER = /[\p{C}\p{Zl}\p{Zp}\p{DI}\u2800]|(?! )\p{Zs}/u;
/**
 * To normalise a run of combining marks takes the square of its length; no script has more (Unicode Standard Annex 15,
 * Stream-Safe Text Format). The half-width sound marks become such. Looks at each run once.
 */
const MANY_MARKS = /(?<![\p{M}\uff9e\uff9f])[\p{M}\uff9e\uff9f]{31}/u;
const MOST_MARKS = 30;
const FIRST_MARK = 0x300;
/** Of a surrogate pair each half counts: together they may be a mark. */
const MARK_OR_HALF = /[\p{M}\p{Cs}\uff9e\uff9f]/u;
// PostgreSQL can neither store it nor search for it.
const UNSTORABLE = /[\0\p{Cs}]/u;
const CONTROL_IN_PROSE = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;

const INVALID_CHARACTERS: TextFault = {
  code: 'invalid_characters',
  detail: 'Must not contain control, invisible or unassigned characters or line breaks.',
};
const CONTROL_CHARACTERS: TextFault = {
  code: 'invalid_characters',
  detail: 'Must not contain control characters other than tabs and line breaks.',
};
const TOO_MANY_MARKS: TextFault = {
  code: 'invalid_characters',
  detail: 'Must not contain more than 30 combining marks in a row.',
};
export const NUL_CHARACTERS: TextFault = { code: 'invalid_characters', detail: 'Must not contain NUL characters.' };
const SURROUNDING_WHITE_SPACE: TextFault = {
  code: 'surrounding_white_space',
  detail: 'Must not begin or end with white space.',
};
const NOT_NORMALISED: TextFault = {
  code: 'not_normalised',
  detail:
    'Must be in Unicode normalisation form NFKC: no full-width letters or ligatures, accents within their letters.',
};

export function isVisible(value: string): boolean {
  return NOT_WHITE_SPACE.test(value);
}

/**
 * Whether a text must not be normalised, which would take too long. Looks at one character of 31: no run lies between.
 */
export function hasManyMarks(value: string): boolean {
  for (let index = MOST_MARKS; index < value.length; index += MOST_MARKS + 1) {
    if (!mayBeMark(value, index)) continue;
    let [first, last] = [index, index];
    while (last - first < MOST_MARKS && mayBeMark(value, first - 1)) first -= 1;
    while (last - first < MOST_MARKS && mayBeMark(value, last + 1)) last += 1;
    if (last - first === MOST_MARKS) return MANY_MARKS.test(value);
  }
  return false;
}

function mayBeMark(value: string, index: number): boolean {
  return value.charCodeAt(index) >= FIRST_MARK && MARK_OR_HALF.test(value.charAt(index));
}

/** What a line of text must not contain: nothing hidden, and nothing that reverses the text around it. */
export function faultOfLine(value: string): TextFault | undefined {
  return PLAIN_LINE.test(value) || !HIDDEN_IN_LINE.test(value) ? undefined : INVALID_CHARACTERS;
}

/** What multi-line text must not contain. People paste into it, so invisible characters are allowed. */
export function faultOfProse(value: string): TextFault | undefined {
  return CONTROL_IN_PROSE.test(value) ? CONTROL_CHARACTERS : undefined;
}

/** What a look-up key must not contain: everything else is found or not. */
export function faultOfLookup(value: string): TextFault | undefined {
  return UNSTORABLE.test(value) ? NUL_CHARACTERS : undefined;
}

/**
 * The first fault of an identifier of a reasonable length: correcting one may correct the others.
 */
export function faultOfIdentifier(value: string): TextFault | undefined {
  if (PLAIN_IDENTIFIER.test(value)) return undefined;
  if (SPACE_AROUND.test(value)) return SURROUNDING_WHITE_SPACE;
  if (HIDDEN_IN_IDENTIFIER.test(value)) return INVALID_CHARACTERS;
  if (hasManyMarks(value)) return TOO_MANY_MARKS;
  return value.normalize('NFKC') === value ? undefined : NOT_NORMALISED;
}
