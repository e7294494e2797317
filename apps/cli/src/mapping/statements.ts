/** A statement of a mapping. */
export interface Statement {
  /** Without its semicolon and the comments before it. */
  text: string;
  /** On which it begins, from 1. */
  line: number;
}

/** Quoted text and comments as a whole, so that no semicolon in them ends a statement. */
const PIECES =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\s+|[^\s'"`[\-/;]+|[\s\S]/g;
const GAP = /^(?:--|\/\*|\s)/;

/** Cuts a mapping into its statements. */
export function statementsOf(mapping: string): Statement[] {
  const statements: Statement[] = [];
  let text = '';
  let [line, firstLine] = [1, 1];
  for (const [piece] of `${mapping.replace(/^\uFEFF/, '')}\n;`.matchAll(PIECES)) {
    if (text === '') firstLine = line;
    if (piece === ';') {
      if (text !== '') statements.push({ text: text.trimEnd(), line: firstLine });
      text = '';
    } else if (text !== '' || !GAP.test(piece)) {
      text += piece;
    }
    line += piece.split('\n').length - 1;
  }
  return statements;
}

/** The line of the mapping on which a word first stands in the statement; the statement's own if it has none. */
export function lineOf({ text, line }: Statement, word: string): number {
  const place = text.toLowerCase().indexOf(word.toLowerCase());
  return place === -1 ? line : line + text.slice(0, place).split('\n').length - 1;
}
