import type { ServerResponse } from 'node:http';
import { readFailedRows, readReport, readUnprocessedRows } from '@causeway/domain';
import { NDJSON_CONTENT_TYPE } from '../answers/send-json.ts';
import { WireRefusal } from '../http/wire-refusal.ts';
import { endWork } from '../overload/work.ts';
import { asStream, writeWhenRead } from '../rest/stream-pages.ts';
import type { FileRequest } from './file-request.ts';

/** Behaviour 21.5. */
export async function sendFailedRows(call: FileRequest): Promise<void> {
  const form = formOf(call.query);
  await sendRows(call, (context, job_id) => readFailedRows(context, { job_id, form }));
}

/** Behaviour 21.5. */
export async function sendUnprocessedRows(call: FileRequest): Promise<void> {
  await sendRows(call, (context, job_id) => readUnprocessedRows(context, { job_id }));
}

type Context = ReturnType<FileRequest['contextOf']>;

/**
 * Streams rows as NDJSON: the next ones are read when those before have been, and no transaction is open meanwhile. An
 * error behind the first row cuts the connection: a truncated file must not look complete.
 */
async function sendRows(
  { response, pathParameters, countWork, contextOf }: FileRequest,
  read: (context: Context, jobId: string) => Promise<AsyncGenerator<Uint8Array>>,
): Promise<void> {
  await countWork(response);
  const context = contextOf(response);
  const rows = await read(context, pathParameters.job_id ?? '');
  await asStream(context.actor, () => write(response, rows));
}

async function write(response: ServerResponse, rows: AsyncGenerator<Uint8Array>): Promise<void> {
  response.writeHead(200, { 'Content-Type': NDJSON_CONTENT_TYPE });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  // From here on it mostly waits for the reader: that is not work.
  endWork(response);
  for await (const piece of rows) {
    await writeWhenRead(response, piece);
    if (response.destroyed) return;
  }
  response.end();
}

function formOf(query: URLSearchParams): 'plain' | undefined {
  const form = query.get('form');
  if (form === null || form === 'plain') return form ?? undefined;
  throw new WireRefusal('request_failed_validation', 'The query parameter form cannot be used.', {
    errors: [{ detail: 'Must be plain, or be left out.', code: 'invalid', attr: 'form' }],
  });
}

/** Answers the signed report of a reconciliation (behaviour 24.4). */
export async function sendReport({ response, pathParameters, countWork, contextOf }: FileRequest): Promise<void> {
  await countWork(response);
  const context = contextOf(response);
  const report = await readReport(context, pathParameters.reconciliation_id ?? '', context.signReport);
  response.setHeader('Content-Type', 'application/jose').setHeader('Content-Length', Buffer.byteLength(report));
  response.end(report);
}
