import { executeSync, getIntrospectionQuery, type IntrospectionOptions, parse } from 'graphql';
import { schema } from './schema.ts';

/** The depths of nested types in the queries of graphql-js releases. */
const TYPE_DEPTHS = [7, 9];
const OPTIONS = [
  ...['descriptions', 'specifiedByUrl', 'directiveIsRepeatable', 'schemaDescription', 'inputValueDeprecation', 'oneOf'],
] as const satisfies readonly (keyof IntrospectionOptions)[];
const MAX_QUERY_LENGTH = 8_000;

type Answer = { query: string; bytes?: Buffer };

const answers = new Map<string, Answer>();
for (let choice = 0; choice < 2 ** OPTIONS.length; choice += 1) {
  const chosen = Object.fromEntries(OPTIONS.map((option, bit) => [option, (choice & (1 << bit)) !== 0]));
  for (const typeDepth of TYPE_DEPTHS) {
    const query = getIntrospectionQuery({ ...chosen, typeDepth });
    answers.set(withoutSpace(query), { query });
  }
}

/**
 * The answer to a standard introspection query, built once; undefined for any other document. The queries are those of
 * graphql-js with each of its options, in any layout.
 */
export function standardIntrospection(query: string): Buffer | undefined {
  if (query.length > MAX_QUERY_LENGTH || !query.includes('__schema')) return undefined;
  const answer = answers.get(withoutSpace(query));
  if (answer === undefined) return undefined;
  answer.bytes ??= Buffer.from(JSON.stringify(executeSync({ schema, document: parse(answer.query) })));
  return answer.bytes;
}

function withoutSpace(query: string): string {
  return query
    .replace(/[\s,]+/g, ' ')
    .replace(/ ?([{}():]) ?/g, '$1')
    .trim();
}
