import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Answer, fieldOf } from '../rig/send.ts';

/** A JSON Schema of the document, or any other part of it. */
export type Part = Record<string, unknown>;

export interface PublishedOperation {
  /** `POST`. */
  method: string;
  /** With its parameters in braces. */
  path: string;
  /** Of its body, where it has one. */
  schema: Part | undefined;
  queryParameters: string[];
  /** The query parameters in the address that the document does not allow. */
  problemsOfQuery(query: string): string[];
  /** The parts of a parsed body that the document does not allow. */
  problemsOfBody(body: unknown): string[];
}

/** The published document of a running service, as an integrator reads it. */
export interface PublishedInterface {
  operations: PublishedOperation[];
  /** The schema itself, or what it refers to. */
  resolve(schema: Part): Part;
  /** The undocumented parts of an answer to this operation: its status, a header, a field or a code. */
  problemsOf(operation: PublishedOperation, method: string, answer: Answer): string[];
}

/** A method that the path does not support gets 405; an unauthenticated request gets 401 first. */
const REFUSES_METHOD = [401, 405];

/** Reads `/openapi.json`. Requests may have more fields than documented, answers may not. */
export async function readInterface(url: string): Promise<PublishedInterface> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Part;
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'open', ...(copy(document, false) as Part) });
  ajv.addSchema({ $id: 'closed', ...(copy(document, true) as Part) });

  const at = (pointer: string): unknown =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((part, key) => fieldOf(part, key.replaceAll('~1', '/').replaceAll('~0', '~')), document);
  const follow = (pointer: string): string => {
    const reference = fieldOf(at(pointer), '$ref');
    return typeof reference === 'string' ? reference.slice(1) : pointer;
  };
  const errorsOf = (kind: 'open' | 'closed', pointer: string, value: unknown): string[] => {
    const validate = ajv.getSchema(`${kind}#${encodeURI(pointer)}`);
    if (validate === undefined) return [`there is no schema at ${pointer}`];
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
  const pointerOf = (path: string, method: string) => `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
  const BODY = '/content/application~1json/schema';

  const operations = Object.entries(document.paths as Record<string, Part>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]): PublishedOperation => {
      const method = name.toUpperCase();
      const schemaPointer = `${pointerOf(path, method)}/requestBody${BODY}`;
      const parameters = (fieldOf(operation, 'parameters') ?? []) as Part[];
      return {
        method,
        path,
        schema: at(schemaPointer) as Part | undefined,
        queryParameters: parameters.filter((one) => one.in === 'query').map(({ name: parameter }) => String(parameter)),
        problemsOfBody: (body) => errorsOf('open', schemaPointer, body),
        problemsOfQuery: (query) =>
          [...new URLSearchParams(query)].flatMap(([given, text]) => {
            const index = parameters.findIndex((one) => one.in === 'query' && one.name === given);
            const pointer = `${pointerOf(path, method)}/parameters/${index}/schema`;
            return index < 0 ? [] : errorsOf('open', pointer, meantBy(fieldOf(at(pointer), 'type'), text));
          }),
      };
    }),
  );

  return {
    operations,
    resolve: (schema) => (typeof schema.$ref === 'string' ? (at(schema.$ref.slice(1)) as Part) : schema),
    problemsOf(operation, method, { status, body, headers }) {
      if (!headers.get('x-request-id')) return ['X-Request-Id is missing'];
      if (method === 'OPTIONS') return [204, 401].includes(status) ? [] : [`OPTIONS answered ${status}`];
      // Another method of the same path may be an operation too.
      const meant = method === 'HEAD' ? 'GET' : method;
      const answering = operations.find(({ path, method: own }) => path === operation.path && own === meant);
      if (answering === undefined && !REFUSES_METHOD.includes(status)) return [`${method} answered ${status}`];
      const pointer = follow(`${pointerOf(operation.path, (answering ?? operation).method)}/responses/${status}`);
      if (at(pointer) === undefined) return [`the status ${status} is not documented`];
      if (method === 'HEAD') return [];
      const listed = Object.keys(Object(at(`${pointer}/content/application~1json/examples`)));
      const code = fieldOf(body, 'code');
      const unlisted =
        status >= 400 && typeof code === 'string' && !listed.includes(code) ? [`the code ${code} is not listed`] : [];
      return [...errorsOf('closed', `${pointer}${BODY}`, body), ...unlisted];
    },
  };
}

/** The value of a parameter, if its text has the form of its type (`TRUE` is true too); otherwise the text. */
function meantBy(type: unknown, text: string): unknown {
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
}

/** The document without its examples, which are not schemas. If closed, it allows no additional fields. */
function copy(value: unknown, isClosed: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, isClosed));
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).filter(([key]) => key !== 'example' && key !== 'examples');
  const part = Object.fromEntries(parts.map(([key, inner]) => [key, copy(inner, isClosed)]));
  if (!isClosed) return withoutNameRule(part);
  const isOpenObject = 'properties' in part && part.type !== undefined && !('additionalProperties' in part);
  return {
    ...part,
    ...(isOpenObject ? { additionalProperties: false } : {}),
    ...('x-extensible-enum' in part ? { enum: part['x-extensible-enum'] } : {}),
  };
}

/** A field whose name is not allowed is undocumented: ignored, not refused. */
function withoutNameRule(part: Part): Part {
  const { propertyNames, additionalProperties, ...rest } = part;
  const pattern = fieldOf(propertyNames, 'pattern');
  return typeof pattern === 'string' ? { ...rest, patternProperties: { [pattern]: additionalProperties } } : part;
}
