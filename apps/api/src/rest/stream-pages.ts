import { once } from 'node:events';
import { type AccountImportRecord, LIMITS } from '@causeway/contracts';
import type { Response } from 'express';
import type { RestAnswer, RestCall } from './adapter.ts';
import { undocumentedFieldsHeader } from './undocumented-fields-header.ts';

// A short first page, so that the answer begins at once.
const FIRST_PAGE_SIZE = 1_000;

/**
 * A whole list as one JSON array, page after page of the same procedure, so that a million records never are in memory
 * at once (design 4.4). An error in the first page is thrown; a later one cuts the connection, since the status is out
 * and a list that only looks complete would be worse.
 */
export async function streamPages(
  response: Response,
  restCall: RestCall,
  call: (restCall: RestCall) => Promise<RestAnswer>,
): Promise<void> {
  let limit = FIRST_PAGE_SIZE;
  let page = await callPage(limit);
  response.set(undocumentedFieldsHeader(restCall.context.response));
  response.writeHead(page.status, { 'Content-Type': 'application/json' });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  response.write(page.json.slice(0, -1));
  try {
    while (page.records.length === limit && !response.destroyed) {
      limit = LIMITS.list;
      page = await callPage(limit, page.records.at(-1)?.external_account_number);
      if (page.records.length > 0 && !response.write(`,${page.json.slice(1, -1)}`)) {
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
    }
    response.end(']');
  } catch (error) {
    response.destroy(error as Error);
    throw error;
  }

  async function callPage(limit: number, after?: string) {
    const input = { ...(restCall.input as object), limit, ...(after === undefined ? {} : { after }) };
    const answer = await call({ ...restCall, input });
    return { ...answer, records: answer.output as AccountImportRecord[] };
  }
}

/** The `Link` to the page after this one; none where the page was not full. */
export function nextPageLink(path: string, input: Record<string, unknown>, output: unknown): Record<string, string> {
  const records = output as AccountImportRecord[];
  const last = records.at(-1);
  if (last === undefined || records.length < Number(input.limit)) {
    return {};
  }
  const query = new URLSearchParams({ limit: String(input.limit), after: last.external_account_number });
  return { Link: `<${path}?${query}>; rel="next"` };
}
