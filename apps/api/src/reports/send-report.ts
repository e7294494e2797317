import { readReport } from '@causeway/domain';
import type { FileRequest } from '../bulk/file-routes.ts';

/** Answers the signed report of a reconciliation (behaviour 24.4). */
export async function sendReport({ response, pathParameters, countWork, contextOf }: FileRequest): Promise<void> {
  await countWork(response);
  const context = contextOf(response);
  const report = await readReport(context, pathParameters.reconciliation_id ?? '', context.signReport);
  response.setHeader('Content-Type', 'application/jose').setHeader('Content-Length', Buffer.byteLength(report));
  response.end(report);
}
