import { BookLine, BulkPart, LIMITS, limitText, ManifestLine } from '@causeway/contracts';
import type { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import type { FileRoute } from '../bulk/file-routes.ts';
import { json } from './components.ts';
import { documentedFileRoute, errorResponses } from './errors.ts';
import { NDJSON } from './operations.ts';
import { PART_SIZE } from './part-size.ts';
import { schemaReference } from './schemas.ts';

const TEXT = { type: 'string' } as const;
const JOB_ID: oas31.ParameterObject = {
  in: 'path',
  name: 'job_id',
  required: true,
  description: 'The `id` of the bulk job.',
  schema: TEXT,
  example: '019a9d4e-6c1f-7b3a-8f21-5d0c6a7e9b14',
};
const MANIFEST_ID: oas31.ParameterObject = {
  in: 'path',
  name: 'manifest_id',
  required: true,
  description: 'The `id` of the manifest.',
  schema: TEXT,
  example: '019a9d51-2f7e-7c10-9b42-8e0f6a1d3c55',
};
const partNumber = (what: string, maximum: number): oas31.ParameterObject => ({
  in: 'path',
  name: 'number',
  required: true,
  description: `The number of the part, from 1 to ${limitText(maximum)}, without gaps. ${what} is its parts in the order of their numbers.`,
  schema: { type: 'integer', minimum: 1, maximum },
  example: 7,
});
const CONTENT_ENCODING: oas31.ParameterObject = {
  in: 'header',
  name: 'Content-Encoding',
  description: 'How the part is packed. Without it, its first bytes say so.',
  schema: { type: 'string', enum: ['identity', 'gzip', 'zstd'] },
  example: 'gzip',
};
const CONTENT_DIGEST: oas31.ParameterObject = {
  in: 'header',
  name: 'Content-Digest',
  description:
    'The SHA-256 or SHA-512 of the bytes as they are sent (RFC 9530). If it differs, or is present and has neither of them in this form, nothing is stored.',
  schema: TEXT,
  example: 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
};
const FORM: oas31.ParameterObject = {
  in: 'query',
  name: 'form',
  description: '`plain`: the lines alone, as they were sent.',
  schema: { type: 'string', enum: ['plain'] },
  example: 'plain',
};

const RECONCILIATION_ID: oas31.ParameterObject = {
  in: 'path',
  name: 'reconciliation_id',
  required: true,
  description: 'The `id` of the reconciliation.',
  schema: TEXT,
  example: '019a9d60-51c4-7e0d-8d1f-2b6f0c9a7e11',
};
const linesFrom = (schema: z.ZodType) =>
  (schema.meta()?.examples ?? []).map((line) => `${JSON.stringify(line)}\n`).join('');
const LINES = linesFrom(BookLine);
const FAILED_ROW =
  '{"line":18,"code":"account_failed_validation","errors":[{"detail":"The field is missing.","code":"required",' +
  '"attr":"customers"}],"data":{"account":{"external_account_number":"NW-0001483"}}}\n';

const lines = (summary: string, value: string): oas31.ContentObject => ({
  'application/x-ndjson': { ...NDJSON['application/x-ndjson'], examples: { lines: { summary, value } } },
});
/** `contentSchema` is JSON Schema's own way from a string to what it holds; the types lack it. */
function linesOf(schema: string, { summary, value }: { summary: string; value: string }): oas31.ContentObject {
  const described = {
    type: 'string' as const,
    description: `One JSON object a line, each of them a \`${schema}\`.`,
    contentMediaType: 'application/x-ndjson',
    contentSchema: schemaReference(schema),
  };
  return { 'application/x-ndjson': { schema: described, examples: { lines: { summary, value } } } };
}
const REPORT: oas31.ContentObject = {
  'application/jose': {
    schema: {
      type: 'string',
      description:
        'A compact JWS: header, payload and signature in base64url, with dots between. The payload is a ' +
        '`ReconciliationReport` (see the schema of that name).',
      contentMediaType: 'application/jose',
      contentSchema: schemaReference('ReconciliationReport'),
    } as oas31.SchemaObject,
    examples: {
      report: { summary: 'The beginning of a report', value: 'eyJhbGciOiJFZERTQSIsImN0eSI6Impzb24i...' },
    },
  },
};
const bookLines = linesOf('BookLine', {
  summary: 'An account with its history, and more history of another',
  value: LINES,
});
const manifestLines = linesOf('ManifestLine', {
  summary: 'An account with every figure, and one with two',
  value: linesFrom(ManifestLine),
});

type Described = Pick<oas31.OperationObject, 'summary' | 'description' | 'parameters' | 'requestBody' | 'responses'>;

function described(): Record<string, Described> {
  const [example] = BulkPart.meta()?.examples ?? [];
  const part = (summary: string): oas31.ResponseObject => ({
    description: `${summary}.`,
    content: json(schemaReference('BulkPart'), { part: { summary, value: example } }),
  });
  const file = (summary: string, value: string) => ({
    200: { description: `${summary}.`, content: lines(summary, value) },
  });
  return {
    putBulkJobPart: {
      summary: 'Upload part of bulk job',
      description:
        'Stores a part of the book, all of it or nothing: NDJSON, one account a line, each line a `BookLine` (see the ' +
        `schema of that name). ${PART_SIZE} Once it is answered it is durable. Sending the same bytes again is harmless; ` +
        'other bytes under the same number are refused. Parts may be sent in any order, several at a time. With `curl -T`, ' +
        'leave out the slash at the end of the address: curl would put the name of the file behind it.',
      parameters: [JOB_ID, partNumber('The book', LIMITS.bulk_parts), CONTENT_ENCODING, CONTENT_DIGEST],
      requestBody: { required: true, content: bookLines },
      responses: { 200: part('The same bytes were received before'), 201: part('Stored') },
    },
    bulkJobFailedRows: {
      summary: 'Read failed rows of bulk job',
      description:
        'The lines that were refused or failed in the last run, each with its problems, in the order of the lines. Correct ' +
        'their `data` in place: the file itself can be uploaded to another job.',
      parameters: [JOB_ID, FORM],
      responses: file('The failed rows', FAILED_ROW),
    },
    bulkJobUnprocessedRows: {
      summary: 'Read unprocessed rows of bulk job',
      description: 'The lines that are not done in the last run, as they were sent, in the order of the lines.',
      parameters: [JOB_ID],
      responses: file('The lines', LINES),
    },
    reconciliationReport: {
      summary: 'Read report of reconciliation',
      description:
        'The signed report of a reconciliation that is FINISHED, for whoever has to be convinced: verdict, coverage, totals ' +
        'line by line, digests of the manifest and of the differences, who and when. A compact JWS (RFC 7515), signed with ' +
        'EdDSA; its payload is canonical JSON (RFC 8785). The public keys are at `/.well-known/jwks.json`, and the guide ' +
        'has a script of a few lines that verifies it. It stays the same until the reconciliation is signed off, also if the ' +
        'manifest is withdrawn later: `state` and `withdrawn_reason` of the manifest say that.',
      parameters: [RECONCILIATION_ID],
      responses: { 200: { description: 'The report.', content: REPORT } },
    },
    putManifestPart: manifestPart({ 200: part('The same bytes were received before'), 201: part('Stored') }),
  };
}

function manifestPart(responses: oas31.ResponsesObject): Described {
  return {
    summary: 'Upload part of manifest',
    description:
      'Stores lines of the manifest, all of them or nothing: NDJSON, one account a line, each line a `ManifestLine` (see ' +
      `the schema of that name) of at most ${limitText(LIMITS.manifest_line_bytes)} bytes. ${PART_SIZE} Once it is answered ` +
      'it is durable. Sending the same bytes again is harmless; other bytes under the same number are refused. Parts may be sent in any order, several at a time. With ' +
      '`curl -T`, leave out the slash at the end of the address: curl would put the name of the file behind it.',
    parameters: [MANIFEST_ID, partNumber('The manifest', LIMITS.manifest_parts), CONTENT_ENCODING, CONTENT_DIGEST],
    requestBody: { required: true, content: manifestLines },
    responses,
  };
}

/** An operation that no procedure serves, as published. */
export function publishFileOperation(route: FileRoute): oas31.OperationObject {
  const operationId = route.procedurePath.replace('dataImport.', '');
  const { responses, ...operation } = described()[operationId] ?? {};
  return {
    operationId,
    tags: [route.path.includes('/bulk-jobs/') ? 'Bulk jobs' : 'Reconciliation'],
    ...operation,
    responses: { ...responses, ...errorResponses(documentedFileRoute(route)) },
  };
}
