import {
  BookLine,
  BulkJobRequest,
  BulkPart,
  LIMITS,
  limitText,
  ManifestLine,
  ManifestRequest,
  ReconciliationRequest,
} from '@causeway/contracts';
import type { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import type { FileRoute } from '../bulk/file-routes.ts';
import { json } from './components.ts';
import { documentedFileRoute, errorResponses } from './errors.ts';
import { NDJSON } from './operations.ts';
import { schemaReference } from './schemas.ts';

const UNPACKED = `${limitText(LIMITS.bulk_part_lines)} lines and ${LIMITS.bulk_part_bytes / 1024 ** 2} MiB unpacked`;
const AS_SENT = '10 MiB as it is sent (`MAX_BODY_BYTES`), unless the service team says otherwise';
/** How large a part may be, for a table. */
export const PART_LIMITS = `${UNPACKED}; ${AS_SENT}`;
/** How large a part may be, in sentences. */
export const PART_SIZE = `A part has at most ${UNPACKED}, and at most ${AS_SENT}: compress it.`;

const TEXT = { type: 'string' } as const;
/** The parameter of a path that a request has as its only field. */
const inPath = (request: z.ZodObject): oas31.ParameterObject[] =>
  Object.entries(request.shape).map(([name, field]) => {
    const { description = '', examples: [example] = [] } = (field as z.ZodType).meta() ?? {};
    return { in: 'path', name, required: true, description, schema: TEXT, example };
  });
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

const FAILED_ROW =
  '{"line":18,"code":"account_failed_validation","errors":[{"detail":"The field is missing.","code":"required",' +
  '"attr":"customers"}],"data":{"account":{"external_account_number":"NW-0001483"}}}\n';
const REPORT = 'eyJhbGciOiJFZERTQSIsImN0eSI6Impzb24i...';

const linesFrom = (schema: z.ZodType) =>
  (schema.meta()?.examples ?? []).map((line) => `${JSON.stringify(line)}\n`).join('');
const lines = (summary: string, value: string): oas31.ContentObject => ({
  'application/x-ndjson': { ...NDJSON['application/x-ndjson'], examples: { lines: { summary, value } } },
});
/** A text that holds what has a schema: `contentSchema` is JSON Schema's own way to say it; the types lack it. */
function contentOf(
  type: string,
  [schema, description]: [string, string],
  examples: oas31.MediaTypeObject['examples'] & object,
) {
  const described = { ...TEXT, description, contentMediaType: type, contentSchema: schemaReference(schema) };
  return { [type]: { schema: described, examples } };
}
const linesOf = (schema: string, summary: string, value: string): oas31.ContentObject =>
  contentOf('application/x-ndjson', [schema, `One JSON object a line, each of them a \`${schema}\`.`], {
    lines: { summary, value },
  });
const report = contentOf(
  'application/jose',
  [
    'ReconciliationReport',
    'A compact JWS: header, payload and signature in base64url, with dots between. The payload is a ' +
      '`ReconciliationReport` (see the schema of that name).',
  ],
  { report: { summary: 'The beginning of a report', value: REPORT } },
);

type Described = Pick<oas31.OperationObject, 'summary' | 'description' | 'parameters' | 'requestBody' | 'responses'>;

/** What is said of both uploads. */
const SENT_AGAIN =
  'Once it is answered it is durable. Sending the same bytes again is harmless; other bytes under the same number are ' +
  'refused. Parts may be sent in any order, several at a time. With `curl -T`, leave out the slash at the end of the ' +
  'address: curl would put the name of the file behind it.';
const part = (summary: string): oas31.ResponseObject => ({
  description: `${summary}.`,
  content: json(schemaReference('BulkPart'), { part: { summary, value: BulkPart.meta()?.examples?.[0] } }),
});
const STORED = { 200: part('The same bytes were received before'), 201: part('Stored') };
const file = (summary: string, value: string) => ({
  200: { description: `${summary}.`, content: lines(summary, value) },
});

const DESCRIBED: Record<string, Described> = {
  putBulkJobPart: {
    summary: 'Upload part of bulk job',
    description:
      'Stores a part of the book, all of it or nothing: NDJSON, one account a line, each line a `BookLine` (see the ' +
      `schema of that name). ${PART_SIZE} ${SENT_AGAIN}`,
    parameters: [
      ...inPath(BulkJobRequest),
      partNumber('The book', LIMITS.bulk_parts),
      CONTENT_ENCODING,
      CONTENT_DIGEST,
    ],
    requestBody: {
      required: true,
      content: linesOf('BookLine', 'An account with its history, and more history of another', linesFrom(BookLine)),
    },
    responses: STORED,
  },
  bulkJobFailedRows: {
    summary: 'Read failed rows of bulk job',
    description:
      'The lines that were refused or failed in the last run, each with its problems, in the order of the lines. Correct ' +
      'their `data` in place: the file itself can be uploaded to another job.',
    parameters: [...inPath(BulkJobRequest), FORM],
    responses: file('The failed rows', FAILED_ROW),
  },
  bulkJobUnprocessedRows: {
    summary: 'Read unprocessed rows of bulk job',
    description: 'The lines that are not done in the last run, as they were sent, in the order of the lines.',
    parameters: inPath(BulkJobRequest),
    responses: file('The lines', linesFrom(BookLine)),
  },
  reconciliationReport: {
    summary: 'Read report of reconciliation',
    description:
      'The signed report of a reconciliation that is FINISHED, for everyone who has to be convinced: verdict, coverage, totals ' +
      'line by line, digests of the manifest and of the differences, who and when. A compact JWS (RFC 7515), signed with ' +
      'EdDSA; its payload is canonical JSON (RFC 8785). The public keys are at `/.well-known/jwks.json`, and the guide ' +
      'has a script of a few lines that verifies it. It stays the same until the reconciliation is signed off, also if the ' +
      'manifest is withdrawn later: `state` and `withdrawn_reason` of the manifest say that.',
    parameters: inPath(ReconciliationRequest),
    responses: { 200: { description: 'The report.', content: report } },
  },
  putManifestPart: {
    summary: 'Upload part of manifest',
    description:
      'Stores lines of the manifest, all of them or nothing: NDJSON, one account a line, each line a `ManifestLine` (see ' +
      `the schema of that name) of at most ${limitText(LIMITS.manifest_line_bytes)} bytes. ${PART_SIZE} ${SENT_AGAIN}`,
    parameters: [
      ...[...inPath(ManifestRequest), partNumber('The manifest', LIMITS.manifest_parts)],
      ...[CONTENT_ENCODING, CONTENT_DIGEST],
    ],
    requestBody: {
      required: true,
      content: linesOf('ManifestLine', 'An account with every figure, and one with two', linesFrom(ManifestLine)),
    },
    responses: STORED,
  },
};

/** An operation that no procedure serves, as published. */
export function publishFileOperation(route: FileRoute): oas31.OperationObject {
  const operationId = route.procedurePath.replace('dataImport.', '');
  const { responses, ...operation } = DESCRIBED[operationId] ?? {};
  return {
    operationId,
    tags: [route.path.includes('/bulk-jobs/') ? 'Bulk jobs' : 'Reconciliation'],
    ...operation,
    responses: { ...responses, ...errorResponses(documentedFileRoute(route)) },
  };
}
