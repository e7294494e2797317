import { BookLine } from '@causeway/contracts';
import { createDocument, type oas31 } from 'zod-openapi';

/**
 * The schemas of a line of a book as it is sent, by their names (behaviour 21.1). A part is a file: no operation has
 * such a line as its body, from which the generator would take it.
 */
export function bookLineSchemas(): Record<string, oas31.SchemaObject | oas31.ReferenceObject> {
  const content = { 'application/x-ndjson': { schema: BookLine } };
  const { components } = createDocument({
    openapi: '3.1.1',
    info: { title: 'A line of a book', version: '1' },
    paths: { '/': { put: { requestBody: { content }, responses: {} } } },
  });
  return JSON.parse(JSON.stringify(components?.schemas ?? {}));
}
