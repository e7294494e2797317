import {
  type ASTNode,
  type DocumentNode,
  type ExecutionArgs,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  parse,
  type SelectionSetNode,
  validate,
  visit,
} from 'graphql';
import type { RequestParams } from 'graphql-http';
import { schema } from './schema.ts';

/** Wide enough for the introspection queries of known tools (250 tokens, 15 levels), narrow enough to cost little. */
const LIMITS = { tokens: 1_000, levels: 16, aliases: 10, errors: 10 } as const;

type PreparedOperation = Omit<ExecutionArgs, 'contextValue'>;

/**
 * Turns what was sent into an operation to execute, or into the GraphQL errors that refuse it. One operation a document
 * and one obtainToken in it: one request checks one key, however it is aliased or spread over fragments (design 4.2).
 */
export function prepareOperation(params: Readonly<RequestParams>): PreparedOperation | readonly GraphQLError[] {
  const { query, operationName, variables } = params;
  try {
    const document = parse(query, { maxTokens: LIMITS.tokens });
    refuseExcess(document, operationName);
    const errors = validate(schema, document, undefined, { maxErrors: LIMITS.errors });
    return errors.length > 0 ? errors : { schema, document, operationName, variableValues: variables };
  } catch (error) {
    if (error instanceof GraphQLError) {
      return [error];
    }
    throw error;
  }
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
  const { aliases, obtainTokens } = countFields(document);
  if (obtainTokens > 1) {
    throw new GraphQLError('A document holds one obtainToken.', { nodes: operation });
  }
  if (aliases > LIMITS.aliases) {
    throw new GraphQLError(`A document holds at most ${LIMITS.aliases} aliases.`, { nodes: operation });
  }
  if (levelsBelow(operation.selectionSet, fragmentsOf(document), new Map()) > LIMITS.levels) {
    throw new GraphQLError(`A document is at most ${LIMITS.levels} levels deep.`, { nodes: operation });
  }
}

function countFields(document: DocumentNode): { aliases: number; obtainTokens: number } {
  let aliases = 0;
  let obtainTokens = 0;
  visit(document, {
    Field(field) {
      aliases += field.alias === undefined ? 0 : 1;
      obtainTokens += field.name.value === 'obtainToken' ? 1 : 0;
    },
  });
  return { aliases, obtainTokens };
}

function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const isFragment = (node: ASTNode) => node.kind === Kind.FRAGMENT_DEFINITION;
  return new Map(document.definitions.filter(isFragment).map((fragment) => [fragment.name.value, fragment]));
}

/** Each fragment is measured once; one that is being measured counts 0, since validation refuses the cycle. */
function levelsBelow(
  selectionSet: SelectionSetNode | undefined,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  measured: Map<string, number>,
): number {
  const levels = selectionSet?.selections.map((selection) => {
    if (selection.kind === Kind.FIELD) {
      return 1 + levelsBelow(selection.selectionSet, fragments, measured);
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return levelsBelow(selection.selectionSet, fragments, measured);
    }
    const name = selection.name.value;
    const known = measured.get(name);
    if (known !== undefined) {
      return known;
    }
    measured.set(name, 0);
    const below = levelsBelow(fragments.get(name)?.selectionSet, fragments, measured);
    measured.set(name, below);
    return below;
  });
  return Math.max(0, ...(levels ?? []));
}
