import { encodingsNamed, isNoWord, strictDecoderOf } from './encodings.ts';
import { flagWith, Question } from './question.ts';
import type { ByteSurvey } from './survey-bytes.ts';

/** The file whose encoding is asked for. */
export interface EncodedFile {
  name: string;
  /** What the flag says of it. */
  given: string | undefined;
  /** The flag that answers: `--encoding accounts=`. */
  flag: string;
  /** Words are shown as they are, not their form alone. */
  showsValues: boolean;
}

/** How a file is written. */
export interface FoundEncoding {
  /** In the names of the standard; several are tried line by line. */
  encodings: readonly string[];
  /** What nobody said, and the user has to know. */
  guess?: string;
  /** The first words that the given encoding has changed: those of lines that are not UTF-8. */
  changedWords: readonly string[];
}

/** Those in which exports are written that are not UTF-8, the most common ones first. */
export const LIKELY = [
  ...['windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'macintosh', 'cp850', 'shift_jis', 'gb18030'],
];
const MAX_SHOWN_WORDS = 3;
const MAX_CHANGED_WORDS = 5;

/**
 * The encoding of a file by its bytes and its flag: UTF-8, or UTF-16. Any other is never guessed (behaviour 25.2.4).
 *
 * @throws Failure where the flag has to say it, with words of the file in the likely encodings; or says what it is not
 */
export function findEncoding(file: EncodedFile, survey: ByteSurvey): FoundEncoding {
  const given = file.given === undefined ? undefined : encodingsNamed(file.given);
  if (survey.utf16 !== undefined) return foundUtf16(file, survey.utf16, given);
  const isUtf8 = survey.others.length === 0;
  if (given === undefined || (given.length === 1 && given[0] === 'utf-8')) {
    if (isUtf8) return { encodings: ['utf-8'], changedWords: [] };
    throw notUtf8(file, survey);
  }
  if (isUtf8 && survey.firstUtf8 !== undefined && given[0] !== 'utf-8') {
    throw asksForUtf8(file, survey.firstUtf8.number, given);
  }
  const words = given.flatMap((encoding) => wordsOf(survey, encoding)).slice(0, MAX_CHANGED_WORDS);
  return { encodings: given, changedWords: words };
}

function foundUtf16(
  { name, flag }: EncodedFile,
  { encoding, hasMark }: NonNullable<ByteSurvey['utf16']>,
  given: readonly string[] | undefined,
): FoundEncoding {
  if (given !== undefined && given[0] !== encoding) {
    throw new Question(`${name} is UTF-16, not ${nameOf(given)}. Nothing was read.`, {
      lines: [`  Give ${flagWith(flag, encoding)}`],
      flags: [flagWith(flag, encoding)],
    });
  }
  const isGuessed = given === undefined && !hasMark;
  return { encodings: [encoding], changedWords: [], ...(isGuessed && { guess: `${encoding}, by its zero bytes` }) };
}

function notUtf8(file: EncodedFile, survey: ByteSurvey): Question {
  const { firstUtf8, others, isMostlyOther } = survey;
  const number = others[0]?.number;
  const line = firstUtf8 === undefined || isMostlyOther ? undefined : firstUtf8.number;
  const mix = line === undefined ? '' : `, but line ${line} is UTF-8: the file mixes encodings`;
  const sentence = `${file.name} is not UTF-8: line ${number} has bytes of another encoding${mix}. Nothing was read.`;
  const flag = `${file.flag}${line === undefined ? '' : 'utf-8,'}`;
  const words = wordLines(file, survey, flag);
  const lines = [
    ...words.lines,
    `  Another encoding that your system writes: ${flag}NAME`,
    ...(firstUtf8 === undefined || line !== undefined ? [] : [mayBeMixed(file, firstUtf8.number)]),
  ];
  return new Question(sentence, { lines, flags: [words.first ?? flagWith(flag, 'NAME')] });
}

/** Letters of another encoding are UTF-8 by chance now and then; two files that were joined are so by half. */
const mayBeMixed = ({ flag }: EncodedFile, line: number) =>
  `  Line ${line} could be UTF-8 as well. If the file mixes encodings: ${flag}utf-8,NAME`;

/** The words in each likely encoding that makes others of them, the one with the fewest that are none first; its flag, if it is the only one. */
function wordLines(
  { showsValues }: EncodedFile,
  survey: ByteSurvey,
  flag: string,
): { lines: readonly string[]; first: string | undefined } {
  const found = new Map<string, { faults: number; flagged: string }>();
  const likely = LIKELY.map((encoding) => ({ encoding, faults: faultsIn(survey, encoding) }));
  for (const { encoding, faults } of likely.sort((one, other) => one.faults - other.faults)) {
    const words = wordsOf(survey, encoding).slice(0, MAX_SHOWN_WORDS);
    const text = (showsValues ? words : words.map(maskedWord)).join(' ');
    if (text !== '' && !found.has(text)) found.set(text, { faults, flagged: flagWith(flag, encoding) });
  }
  const width = Math.max(0, ...Array.from(found.keys(), (text) => text.length));
  const lines = Array.from(found, ([text, { flagged }]) => `    ${text.padEnd(width)}  with ${flagged}`);
  const [first, second] = found.values();
  const isBetter = second === undefined || (first !== undefined && first.faults < second.faults);
  return {
    lines: lines.length === 0 ? [] : ['  Its words would be:', ...lines],
    first: isBetter ? first?.flagged : undefined,
  };
}

/** How many words are none in an encoding. A line that is no text in it counts as one. */
function faultsIn({ others }: ByteSurvey, encoding: string): number {
  const decode = strictDecoderOf(encoding);
  const texts = others.map(({ bytes }) => decode(bytes));
  return texts.flatMap((text) => (text === undefined ? ['\0'] : (text.match(FOREIGN_WORD) ?? []))).filter(isNoWord)
    .length;
}

/** Text of another encoding is hardly ever valid UTF-8, unless it is ASCII. */
function asksForUtf8({ name, flag }: EncodedFile, line: number, given: readonly string[]): Question {
  const sentence = `${name} is valid UTF-8, and line ${line} is not ASCII. Is it ${nameOf(given)}? Nothing was read.`;
  const isUtf8 = flagWith(flag, 'utf-8');
  return new Question(sentence, {
    flags: [isUtf8],
    lines: [
      `  If it is UTF-8, give ${isUtf8}`,
      `  If it is ${nameOf(given)} anyway, write it again as UTF-8: iconv -f ${given[0]} -t UTF-8 FILE > FILE.utf8`,
    ],
  });
}

/** To look at a file whose encoding is asked for: most others have a byte a character too. */
export const assumedEncodings = ({ utf16 }: ByteSurvey): readonly string[] =>
  utf16 === undefined ? ['utf-8', 'windows-1252'] : [utf16.encoding];

const nameOf = (encodings: readonly string[]) => encodings.join(', ').replace(/^windows/, 'Windows');

const FOREIGN_WORD = /[^\s,;|"]*[^\p{ASCII}\s][^\s,;|"]*/gu;
const MAX_WORD_CHARACTERS = 20;

/** The words that ASCII cannot write, of the lines that are not UTF-8; none of an encoding in which they are no text. */
function wordsOf({ others }: ByteSurvey, encoding: string): string[] {
  const decode = strictDecoderOf(encoding);
  const words = others.flatMap(({ bytes }) => decode(bytes)?.match(FOREIGN_WORD) ?? []);
  const texts = words.filter((word) => !/\p{Cc}|\p{Co}/u.test(word)).map((word) => word.slice(0, MAX_WORD_CHARACTERS));
  return [...new Set(texts)];
}

/** The form of a word: only letters that depend on the encoding are shown. */
export function maskedWord(word: string): string {
  return word.replaceAll(/[a-z]/g, 'x').replaceAll(/[A-Z]/g, 'X').replaceAll(/[0-9]/g, '9');
}
