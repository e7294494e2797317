import { BookLine, ManifestLine, ReconciliationReport } from '@causeway/contracts';
import type { z } from 'zod';
import { createDocument, type oas31 } from 'zod-openapi';

/**
 * The schemas of a line of a book and of a manifest as they are sent, and of a report's payload, by their names
 * (behaviour 21.1, 22.2, 24.4). They are in files: no operation has them as its body, from which the generator would
 * take them.
 */
export function bookLineSchemas(): Record<string, oas31.SchemaObject | oas31.ReferenceObject> {
  const { components } = createDocument({
    openapi: '3.1.1',
    info: { title: 'Lines', version: '1' },
    paths: { '/book': linesOf(BookLine), '/manifest': linesOf(ManifestLine), '/report': linesOf(ReconciliationReport) },
  });
  return JSON.parse(JSON.stringify(components?.schemas ?? {}));
}

function linesOf(schema: z.ZodType) {
  return { put: { requestBody: { content: { 'application/x-ndjson': { schema } } }, responses: {} } };
}
