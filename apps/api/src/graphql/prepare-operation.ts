import { type DocumentNode, type ExecutionArgs, GraphQLError, Kind, parse, validate, visit } from 'graphql';
import type { RequestParams } from 'graphql-http';
import { schema } from './schema.ts';

/** Wide enough for any obtainToken, narrow enough that no document costs more than a millisecond or two. */
const LIMITS = { characters: 8_000, tokens: 200, errors: 5, variables: 50 } as const;

type PreparedOperation = Omit<ExecutionArgs, 'contextValue'>;

/**
 * Turns the request into an operation to execute, or into the GraphQL errors that refuse it. One operation per document
 * and one obtainToken in it: one request checks one key, whatever its aliases or fragments (behaviour 5.7). The standard
 * introspection queries are answered earlier (`standardIntrospection`). No other introspection is answered: a small
 * document could multiply the lists of the schema.
 */
export function prepareOperation(params: Readonly<RequestParams>): PreparedOperation | readonly GraphQLError[] {
  const { query, operationName, variables } = params;
  if (query.length > LIMITS.characters) {
    return [new GraphQLError(`A document has at most ${LIMITS.characters} characters.`)];
  }
  if (countValues(variables, LIMITS.variables) > LIMITS.variables) {
    return [new GraphQLError(`The variables hold at most ${LIMITS.variables} values.`)];
  }
  try {
    const document = parse(query, { maxTokens: LIMITS.tokens });
    refuseExcess(document, operationName);
    const errors = validate(schema, document, undefined, { maxErrors: LIMITS.errors });
    return errors.length > 0 ? errors : { schema, document, operationName, variableValues: variables };
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

/** The number of values within a value, counted up to `most`: each invalid one would cost an error. */
function countValues(value: unknown, most: number): number {
  let count = 0;
  const open = [value];
  while (open.length > 0 && count <= most) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const within = Object.values(next);
    count += within.length;
    open.push(...within.slice(0, most));
  }
  return count;
}

function refuseExcess(document: DocumentNode, operationName: string | null | undefined): void {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (operation === undefined || operations.length > 1) {
    throw new GraphQLError('A document holds exactly one operation.', { nodes: operations });
  }
  if (operationName && operation.name?.value !== operationName) {
    throw new GraphQLError('The document has no operation of the name in operationName.', { nodes: operation });
  }
  let obtainTokens = 0;
  visit(document, {
    Field(field) {
      const name = field.name.value;
      if (name === 'obtainToken') obtainTokens += 1;
      if (name === '__schema' || name === '__type') {
        throw new GraphQLError('Only the standard introspection query shows the schema.', { nodes: field });
      }
    },
  });
  if (obtainTokens > 1) throw new GraphQLError('A document holds one obtainToken.', { nodes: operation });
}
