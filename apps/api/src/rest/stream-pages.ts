import { once } from 'node:events';
import { type AccountImportRecord, LIMITS, type ListAccountImportsRequest } from '@causeway/contracts';
import { type ListName, readListText } from '@causeway/domain';
import type { Response } from 'express';
import { JSON_CONTENT_TYPE } from '../answers/send-json.ts';
import { undocumentedFieldsHeader } from '../answers/undocumented-fields-header.ts';
import { requestFacts } from '../request/request-facts.ts';
import { WireRefusal } from '../request/wire-refusal.ts';
import type { RestAnswer, RestCall } from './adapter.ts';

/** A short first page, so that the answer begins at once. */
const FIRST_PAGE_SIZE = LIMITS.list_default;
/** A slow reader keeps two pages in memory while it reads: this many are enough for one caller. */
const MAX_STREAMS = 10;

const streams = new Map<string, number>();

/** A call for a whole list. */
export interface StreamedCall extends RestCall {
  list: ListName;
}

/**
 * A whole list as one JSON array, so that a million records are never in memory together (behaviour 4.12): the
 * procedure's first page, then the same list's text from the database. An error in the first page is thrown; a later
 * one cuts the connection, because the status was sent and a truncated list must not look complete. A client that stops
 * reading is cut off. Refuses with `service_unavailable` if the caller reads too many lists concurrently.
 */
export async function streamPages(
  response: Response,
  restCall: StreamedCall,
  call: (restCall: RestCall) => Promise<RestAnswer>,
): Promise<void> {
  const { actor } = restCall.context;
  const caller = actor.kind === 'organisation' ? actor.organisationId : 'staff';
  const running = streams.get(caller) ?? 0;
  if (running >= MAX_STREAMS) {
    throw new WireRefusal('service_unavailable', `More than ${MAX_STREAMS} lists are being read: try again later.`);
  }
  streams.set(caller, running + 1);
  try {
    await writePages(response, restCall, call);
  } finally {
    const others = (streams.get(caller) ?? 1) - 1;
    others === 0 ? streams.delete(caller) : streams.set(caller, others);
  }
}

async function writePages(
  response: Response,
  restCall: StreamedCall,
  call: (restCall: RestCall) => Promise<RestAnswer>,
): Promise<void> {
  const input = { ...(restCall.input as ListAccountImportsRequest), limit: FIRST_PAGE_SIZE };
  const { status, json, output } = await call({ ...restCall, input });
  response.set(undocumentedFieldsHeader(restCall.context.response));
  response.writeHead(status, { 'Content-Type': JSON_CONTENT_TYPE });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  // From here on it mostly waits for the reader: that is not work.
  requestFacts(response).endWork?.();
  try {
    await write(response, json.slice(0, -1));
    const records = output as AccountImportRecord[];
    const last = records.at(-1);
    if (last !== undefined && records.length === FIRST_PAGE_SIZE) {
      await writeBehind(response, restCall, last.external_account_number);
    }
    response.end(']');
  } catch (error) {
    response.destroy();
    throw error;
  }
}

async function writeBehind(response: Response, { list, input, context }: StreamedCall, after: string): Promise<void> {
  const { import_supplier_code } = input as ListAccountImportsRequest;
  for await (const text of readListText(context, list, { import_supplier_code, after })) {
    await write(response, text);
    if (response.destroyed) {
      return;
    }
  }
}

/** Waits until the reader has read everything written so far. */
async function write(response: Response, text: string): Promise<void> {
  if (response.write(text) || response.destroyed) {
    return;
  }
  const over = new AbortController();
  await Promise.race(['drain', 'close'].map((event) => once(response, event, { signal: over.signal })));
  over.abort();
}

/** The `Link` to the next page; none if the page was not full. */
export function nextPageLink(path: string, input: Record<string, unknown>, output: unknown): Record<string, string> {
  const records = output as AccountImportRecord[];
  const last = records.at(-1);
  if (last === undefined || records.length < Number(input.limit)) {
    return {};
  }
  const query = new URLSearchParams({ limit: String(input.limit), after: last.external_account_number });
  return { Link: `<${path}?${query}>; rel="next"` };
}
