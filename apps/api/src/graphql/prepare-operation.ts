import {
  type ASTNode,
  type DocumentNode,
  type ExecutionArgs,
  type FragmentDefinitionNode,
  GraphQLError,
  isEnumType,
  isInputObjectType,
  isObjectType,
  Kind,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  validate,
  visit,
} from 'graphql';
import type { RequestParams } from 'graphql-http';
import { schema } from './schema.ts';

/**
 * Wide enough for any obtainToken and for a partial introspection, narrow enough that no document costs more than a
 * millisecond or two: validation compares fields pairwise, and an introspection field has many objects. Full
 * introspection queries are answered earlier: see `standardIntrospection`.
 */
const LIMITS = {
  characters: 8_000,
  tokens: 200,
  levels: 16,
  aliases: 10,
  fields: 300,
  errors: 5,
  variables: 50,
} as const;

type PreparedOperation = Omit<ExecutionArgs, 'contextValue'>;

/**
 * Turns the request into an operation to execute, or into the GraphQL errors that refuse it. One operation per document
 * and one obtainToken in it: one request checks one key, whatever its aliases or fragments (behaviour 5.7).
 */
export function prepareOperation(params: Readonly<RequestParams>): PreparedOperation | readonly GraphQLError[] {
  const { query, operationName, variables } = params;
  if (query.length > LIMITS.characters) {
    return [new GraphQLError(`A document has at most ${LIMITS.characters} characters.`)];
  }
  if (countValues(variables, LIMITS.variables) > LIMITS.variables) {
    return [new GraphQLError(`The variables hold at most ${LIMITS.variables} values.`)];
  }
  const document = checkDocument(query, operationName);
  return 'kind' in document ? { schema, document, operationName, variableValues: variables } : document;
}

function checkDocument(
  query: string,
  operationName: string | null | undefined,
): DocumentNode | readonly GraphQLError[] {
  try {
    const document = parse(query, { maxTokens: LIMITS.tokens });
    refuseExcess(document, operationName);
    const errors = validate(schema, document, undefined, { maxErrors: LIMITS.errors });
    return errors.length > 0 ? errors : document;
  } catch (error) {
    if (error instanceof GraphQLError) {
      return [error];
    }
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
  const { aliases, obtainTokens } = countFields(document);
  if (obtainTokens > 1) {
    throw new GraphQLError('A document holds one obtainToken.', { nodes: operation });
  }
  if (aliases > LIMITS.aliases) {
    throw new GraphQLError(`A document holds at most ${LIMITS.aliases} aliases.`, { nodes: operation });
  }
  const { levels, fields } = sizeOf(operation.selectionSet, fragmentsOf(document), new Map());
  if (levels > LIMITS.levels) {
    throw new GraphQLError(`A document is at most ${LIMITS.levels} levels deep.`, { nodes: operation });
  }
  if (fields > LIMITS.fields) {
    const sentence = `A document asks for at most ${LIMITS.fields} fields, each one of a list counted.`;
    throw new GraphQLError(sentence, { nodes: operation });
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

interface Size {
  levels: number;
  /** The maximum number of fields in the answer. */
  fields: number;
}

const NOTHING: Size = { levels: 0, fields: 0 };

/** Each fragment is measured once; one being measured counts 0, because validation refuses the cycle. */
function sizeOf(
  selectionSet: SelectionSetNode | undefined,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  measured: Map<string, Size>,
): Size {
  let { levels, fields } = NOTHING;
  for (const selection of selectionSet?.selections ?? []) {
    const size = sizeOfSelection(selection, fragments, measured);
    levels = Math.max(levels, size.levels);
    fields += size.fields;
  }
  return { levels, fields };
}

function sizeOfSelection(
  selection: SelectionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  measured: Map<string, Size>,
): Size {
  if (selection.kind === Kind.FIELD) {
    const { levels, fields } = sizeOf(selection.selectionSet, fragments, measured);
    return { levels: levels + 1, fields: 1 + fields * (LIST_LENGTHS.get(selection.name.value) ?? 1) };
  }
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    return sizeOf(selection.selectionSet, fragments, measured);
  }
  const name = selection.name.value;
  const known = measured.get(name);
  if (known !== undefined) {
    return known;
  }
  measured.set(name, NOTHING);
  const size = sizeOf(fragments.get(name)?.selectionSet, fragments, measured);
  measured.set(name, size);
  return size;
}

/** The maximum number of items in the lists of an introspection. */
const LIST_LENGTHS: ReadonlyMap<string, number> = new Map(Object.entries(listLengths()));

function listLengths(): Record<string, number> {
  const types = Object.values(schema.getTypeMap());
  const composite = types.filter((type) => isObjectType(type));
  const fields = composite.map((type) => Object.values(type.getFields()));
  const most = (lengths: number[]) => Math.max(1, ...lengths);
  return {
    types: types.length,
    directives: schema.getDirectives().length,
    locations: most(schema.getDirectives().map(({ locations }) => locations.length)),
    fields: most(fields.map(({ length }) => length)),
    args: most([...fields.flat(), ...schema.getDirectives()].map(({ args }) => args.length)),
    inputFields: most(
      types.filter((type) => isInputObjectType(type)).map((type) => Object.keys(type.getFields()).length),
    ),
    enumValues: most(types.filter((type) => isEnumType(type)).map((type) => type.getValues().length)),
  };
}
