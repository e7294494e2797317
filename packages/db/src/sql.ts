import { createHash } from 'node:crypto';
import type { Columns, RowWith } from './columns.ts';

/** A piece of SQL, to be put into a statement or another fragment. `Name` are the parameters in it. */
export interface Fragment<Name extends string = never> {
  readonly pieces: readonly (string | { readonly parameter: Name })[];
}

/** A SQL text that each connection parses and plans once, under its name. */
export interface SqlStatement<Row, Name extends string> {
  readonly name: string;
  readonly text: string;
  /** The first one is $1. */
  readonly parameters: readonly Name[];
  readonly columns: Columns;
  /** Never there: it holds the type. */
  readonly row?: Row;
}
/** The type of a statement's rows. */
export type RowOf<Statement> = Statement extends SqlStatement<infer Row, string> ? Row : never;

/** The values of a statement's parameters. What is not given is null, and is said to be. */
export type Values<Name extends string> = { readonly [Each in Name]: NonNullable<unknown> | null };

/** What stands between the texts of a template: the name of a parameter, or a fragment. */
type Part = string | Fragment<string>;
type NameIn<P extends Part> = P extends Fragment<infer Name> ? Name : Extract<P, string>;

const PARAMETER = /^[a-z][a-z_]*$/;
/** PostgreSQL cuts longer names; a digest of the text comes after the given part. */
const NAME_LIMIT = 50;

/** A piece of SQL: `` fragment`code = ${'code'}` `` has the parameter `code`. */
export function fragment<const Parts extends readonly Part[]>(
  { raw: [first = '', ...texts] }: TemplateStringsArray,
  ...parts: Parts
): Fragment<NameIn<Parts[number]>> {
  const pieces = parts.flatMap((part, index) => [...piecesOf(part), texts[index] ?? '']);
  return { pieces: [first, ...pieces] as Fragment<NameIn<Parts[number]>>['pieces'] };
}

function piecesOf(part: Part): Fragment<string>['pieces'] {
  if (typeof part !== 'string') return part.pieces;
  if (!PARAMETER.test(part)) throw new RangeError(`This is not the name of a parameter: ${part}`);
  return [{ parameter: part }];
}

/** SQL that the code has made: never of anything that was sent. */
export function rawSql(text: string): Fragment {
  return { pieces: [text] };
}

/**
 * A statement, made once per module since every connection keeps it prepared:
 *
 *     const FIND_KEY = sql('find-key', { id: 'uuid', revoked_at: 'timestamptz | null' })`
 *       SELECT id, revoked_at FROM api_keys WHERE digest = ${'digest'}`;
 *     const [key] = await database.query(FIND_KEY, { digest });
 *
 * @param name readable, `verb-noun`, at most 50 characters; shows in the database's own statistics and errors. Two texts
 *   never share a name, even where two files chose the same one.
 * @param columns of its answer; none unless given
 */
export function sql<const C extends Columns = Record<never, never>>(name: string, columns?: C) {
  if (name.length > NAME_LIMIT) throw new RangeError(`The statement's name is longer than ${NAME_LIMIT}: ${name}`);
  return <const Parts extends readonly Part[]>(
    strings: TemplateStringsArray,
    ...parts: Parts
  ): SqlStatement<RowWith<C>, NameIn<Parts[number]>> => {
    const { pieces } = fragment(strings, ...parts);
    const parameters = [...new Set(pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.parameter])))];
    const texts = pieces.map((piece) =>
      typeof piece === 'string' ? piece : `$${parameters.indexOf(piece.parameter) + 1}`,
    );
    const text = texts.join('').trim();
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
    return Object.freeze({ name: `${name}_${digest}`, text, parameters, columns: columns ?? {} });
  };
}
