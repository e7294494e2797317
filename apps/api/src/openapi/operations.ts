import type { oas31 } from 'zod-openapi';
import type { Route } from '../rest/routes.ts';
import { emptyPageHeaders, headers, json } from './components.ts';
import { errorResponses } from './errors.ts';
import { exampleOf, publishedExamples, refusalsOf, type Schema, type Schemas } from './examples.ts';
import { schemaReference } from './schemas.ts';

/** A file of lines, each a JSON object. */
export const NDJSON: oas31.ContentObject = {
  'application/x-ndjson': { schema: { type: 'string', description: 'One JSON object a line.' } },
};

const CSV: oas31.ContentObject = {
  'text/csv': {
    schema: { type: 'string', description: 'The names of the fields, then one record a line. Null is an empty field.' },
  },
};

const WHOLE_FILE =
  'Without `limit` the whole file is streamed as NDJSON, one object a line; with it you get one page as a JSON array, and ' +
  'a `Link` header while there is more.';
const WHOLE_LIST =
  'Without `limit` the whole list is streamed; with it you get one page, and a `Link` header while there is more.';
const OF_LIST: Partial<Record<Route['meta']['list'] & string, string>> = {
  lines: WHOLE_FILE,
  rows: WHOLE_FILE.replace('a line;', 'a line, or as CSV if `Accept` asks for it;'),
  pages: WHOLE_LIST,
};
const WHOLE_LIST_OF_ACCOUNTS = `${WHOLE_LIST} A whole list is NDJSON or CSV if \`Accept\` asks for it.`;

/** The procedure's own name, unless that is said of an area of the router: `accounts.get`. */
export const operationIdOf = ({ procedurePath, meta }: Pick<Route, 'procedurePath' | 'meta'>): string =>
  meta.openapi?.operationId ?? procedurePath.replace('dataImport.', '');

/**
 * One operation as published. The schema of its request body moves to `schemas`, the document's, with its name from the
 * contracts.
 */
export function publishOperation(
  schemas: Schemas,
  route: Route,
  generated: oas31.OperationObject,
): oas31.OperationObject {
  const { summary = '', tags = [] } = generated;
  const operationId = operationIdOf(route);
  const { list } = route.meta;
  const ofList = list && (OF_LIST[list] ?? WHOLE_LIST_OF_ACCOUNTS);
  const description = [generated.description, ofList].filter(Boolean).join(' ');
  const parameters = [...(generated.parameters ?? [])];
  const operation: oas31.OperationObject = { operationId, summary, description, tags, parameters, responses: {} };
  const body = bodySchema(generated);
  if (body !== undefined) {
    const key = route.meta.ignoresIdempotencyKey ? 'IgnoredIdempotencyKey' : 'IdempotencyKey';
    parameters.push(...takeQueryParameters(body, route), { $ref: `#/components/parameters/${key}` });
    const name = route.procedure.input?.meta()?.id;
    if (name === undefined) throw new Error(`The input of ${route.procedurePath} has no name`);
    body.examples = (body.examples ?? []).map((example) => withoutFields(example, route.segments));
    schemas[name] = body;
    const examples = publishedExamples([operationId, 'request'], { example: exampleOf(body, schemas), summary });
    operation.requestBody = { required: true, content: json(schemaReference(name), examples) };
  }
  const answer = exampleOf(answerSchema(generated), schemas);
  const refusals = refusalsOf({ route, parameters, body, answer });
  operation.responses = { ...successResponses(route, generated, answer), ...errorResponses(route, refusals) };
  return operation;
}

function bodySchema({ requestBody }: oas31.OperationObject): oas31.SchemaObject | undefined {
  const content = (requestBody as oas31.RequestBodyObject | undefined)?.content;
  return content?.['application/json']?.schema as oas31.SchemaObject | undefined;
}

/** An example of a request as its body has it: without what is in the path. */
function withoutFields(example: unknown, segments: string[]): unknown {
  return Object.fromEntries(Object.entries(Object(example)).filter(([name]) => !segments.includes(`{${name}}`)));
}

/** The generator puts every input of a POST into its body. */
function takeQueryParameters(body: oas31.SchemaObject, { meta }: Route): oas31.ParameterObject[] {
  return (meta.queryParameters ?? []).map((name) => {
    const { description = '', ...schema } = { ...body.properties?.[name] } as oas31.SchemaObject;
    delete body.properties?.[name];
    body.required = (body.required ?? []).filter((required) => required !== name);
    return { in: 'query', name, description, schema };
  });
}

function answerSchema({ responses }: oas31.OperationObject): Schema {
  const answer: oas31.ResponseObject | undefined = responses?.['200'];
  return answer?.content?.['application/json']?.schema ?? {};
}

function successResponses(route: Route, generated: oas31.OperationObject, example: unknown): oas31.ResponsesObject {
  const { responses } = generated;
  const operationId = operationIdOf(route);
  const { successStatus = 200, alternativeSuccess, list } = route.meta;
  const hasCsv = list !== undefined && list !== 'pages' && list !== 'lines';
  const respond = (status: number, description: string): oas31.ResponseObject => ({
    description,
    headers: {
      ...headers(
        'Undocumented-Fields',
        ...(route.meta.checks?.keeps === true ? (['Remarks'] as const) : []),
        ...(list === undefined ? [] : (['Link'] as const)),
      ),
      // A page of records in an order of their own is never empty while there are more.
      ...(list !== undefined && list !== 'pages' && emptyPageHeaders()),
    },
    content: {
      ...json(
        answerSchema(generated),
        publishedExamples([operationId, status], { example, summary: sentence(description) }),
      ),
      ...((list === 'lines' || hasCsv) && NDJSON),
      ...(hasCsv && CSV),
    },
  });
  return {
    [successStatus]: respond(successStatus, responses?.['200'].description),
    ...(alternativeSuccess && {
      [alternativeSuccess.status]: respond(alternativeSuccess.status, alternativeSuccess.description),
    }),
  };
}

const sentence = (description: string) => description.replace(/\.$/, '');
