/** One test in its file: a table test counts once, with the placeholders of its title. */
export interface TestTitle {
  /** The titles of the describe blocks around it, outermost first, and its own. */
  names: string[];
  line: number;
}

interface Call {
  modifiers: string;
  /** The start of the title argument, and the end of the call. */
  titleAt: number;
  end: number;
}

/**
 * Reads the titles of the tests in a source file without running it. Skipped and todo tests are left out. Throws an
 * Error with the line if a title is not a literal, because it cannot be read without running the test.
 */
export function readTestTitles(source: string): TestTitle[] {
  const { code, strings } = withoutTexts(source);
  const titleOf = ({ titleAt }: Call): string => {
    const title = strings.get(titleAt);
    if (title === undefined) {
      throw new Error(`line ${lineOf(source, titleAt)}: the title of a test has to be a literal`);
    }
    return title;
  };
  const describes = callsOf('describe', code);
  return callsOf('test|it', code)
    .filter(({ modifiers }) => !/\.(?:skip|todo)\b/.test(modifiers))
    .map((call) => {
      const around = describes.filter(({ titleAt, end }) => titleAt < call.titleAt && call.titleAt < end);
      return { names: [...around, call].map(titleOf), line: lineOf(source, call.titleAt) };
    });
}

const COMMENT = String.raw`\/\/[^\n]*|\/\*[^]*?\*\/`;
const TEXT = String.raw`'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*"`;
const NESTED = '\\$\\{(?:[^{}`]|`[^`]*`|\\{[^{}]*\\})*\\}';
const TEMPLATE = `\`(?:[^\`\\\\$]|\\\\[^]|\\$(?!\\{)|${NESTED})*\``;
// After any other character, a slash is a division.
const PATTERN = String.raw`(?<=(?:^|[(,=:[!&|?{};+\-*%<>~^]|\breturn)\s*)\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/`;
const TOKEN = new RegExp([COMMENT, TEXT, TEMPLATE, PATTERN].join('|'), 'g');

/** The source with comments, regular expressions and string contents blanked, and the strings by their positions. */
function withoutTexts(source: string): { code: string; strings: Map<number, string> } {
  const strings = new Map<number, string>();
  const code = source.replace(TOKEN, (token, offset: number) => {
    if (!/^['"`]/.test(token)) {
      return token.replaceAll(/[^\n]/g, ' ');
    }
    const text = token.slice(1, -1);
    strings.set(offset, text.replaceAll(/\\(['"`])/g, '$1'));
    return `"${text.replaceAll(/[^\n]/g, ' ')}"`;
  });
  return { code, strings };
}

function callsOf(names: string, code: string): Call[] {
  const start = new RegExp(`(?<![.\\w$])(?:${names})(?<modifiers>(?:\\s*\\.\\s*\\w+)*)`, 'g');
  return [...code.matchAll(start)].flatMap((match) => {
    const modifiers = match.groups?.modifiers ?? '';
    let at = skipTypes(code, match.index + match[0].length);
    if (/\.(?:each|for|skipIf|runIf)$/.test(modifiers)) {
      at = skipSpace(code, endOfBrackets(code, at));
    }
    return code[at] === '(' ? [{ modifiers, titleAt: skipSpace(code, at + 1), end: endOfBrackets(code, at) }] : [];
  });
}

function skipSpace(code: string, from: number): number {
  let at = from;
  while (/\s/.test(code[at] ?? '')) at += 1;
  return at;
}

function skipTypes(code: string, from: number): number {
  let at = skipSpace(code, from);
  if (code[at] !== '<') return at;
  for (let depth = 0; at < code.length; at += 1) {
    if (code[at] === '<') depth += 1;
    else if (code[at] === '>' && code[at - 1] !== '=') depth -= 1;
    if (depth === 0) return skipSpace(code, at + 1);
  }
  return at;
}

/** The position after the bracket that closes the one at `from`. */
function endOfBrackets(code: string, from: number): number {
  let depth = 0;
  for (let at = from; at < code.length; at += 1) {
    if ('([{'.includes(code[at] ?? '')) depth += 1;
    else if (')]}'.includes(code[at] ?? '')) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return code.length;
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}
