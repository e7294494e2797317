import type { oas31 } from 'zod-openapi';
import { documentText } from '../../src/openapi/document.ts';

/** The document that integrators read. */
export const publishedDocument: oas31.OpenAPIObject = JSON.parse(documentText());

export interface PublishedResponse extends oas31.ResponseObject {
  /** Where the response stands in the document, as a JSON pointer. */
  pointer: string;
}

/** What `reference` points at, or the thing itself. */
export function resolve<Thing extends object>(thing: Thing | oas31.ReferenceObject): Thing {
  if (!('$ref' in thing)) {
    return thing;
  }
  const keys = String(thing.$ref).slice(2).split('/');
  return keys.reduce<unknown>(
    (part, key) => (part as Record<string, unknown>)[unescaped(key)],
    publishedDocument,
  ) as Thing;
}

/** The operations there are, each with its path. */
export function publishedOperations(): { path: string; method: string; operation: oas31.OperationObject }[] {
  return Object.entries(publishedDocument.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method,
      operation: operation as oas31.OperationObject,
    })),
  );
}

/** A response with its place in the document, behind its reference if it is one. */
export function publishedResponse(path: string, method: string, status: number): PublishedResponse | undefined {
  const operation = publishedDocument.paths?.[path]?.[method as 'get' | 'post'];
  const response: oas31.ResponseObject | oas31.ReferenceObject | undefined = operation?.responses?.[String(status)];
  if (response === undefined) {
    return undefined;
  }
  const pointer = '$ref' in response ? response.$ref.slice(1) : `/paths/${escaped(path)}/${method}/responses/${status}`;
  return { ...resolve<oas31.ResponseObject>(response), pointer };
}

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');
const unescaped = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~');
