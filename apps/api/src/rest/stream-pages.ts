import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { csvLine } from '@causeway/book';
import {
  AccountImportRecord,
  LIMITS,
  type ListAccountImportsRequest,
  ReconciliationDifference,
} from '@causeway/contracts';
import { type Actor, type ListName, oneAtATime, readListText } from '@causeway/domain';
import { acceptedForm, CONTENT_TYPES, type FileForm } from '../answers/file-forms.ts';
import { noteHeaders } from '../answers/reply-headers.ts';
import type { Context } from '../http/context.ts';
import { WireRefusal } from '../http/wire-refusal.ts';
import { endWork } from '../overload/work.ts';
import { call } from '../procedures/call.ts';
import type { UnnamedList } from '../procedures/meta.ts';
import type { Reply } from '../procedures/reply.ts';
import type { Route } from './routes.ts';

/** One call of a procedure over REST. */
export interface RestCall {
  route: Route;
  input: Record<string, unknown>;
  context: Context;
}

/** A short first page, so that the answer begins at once. */
const FIRST_PAGE_SIZE = LIMITS.list_default;

/** The lists that each caller reads behind their first page: a slow reader keeps two pages in memory meanwhile. */
const streams = new Map<string, number>();

/** Whether a call is for a whole list, which is streamed. */
export function isWholeList({ route, input }: RestCall): boolean {
  return route.meta.list !== undefined && (input as { limit?: unknown }).limit === undefined;
}

/**
 * A whole list as one JSON array, or as lines if `Accept` asks for them (behaviour 4.12.10), so that a million records
 * are never in memory together (behaviour 4.12, 4.16.3): the procedure's first page, then the same list's text from the
 * database, or the procedure's other pages. The mount has replied if the first page was refused; a later error cuts the connection,
 * because the status was sent and a truncated list must not look complete. A client that stops reading is cut off.
 * Refuses with `service_unavailable` if there is more than the first page and the caller reads too many such lists
 * concurrently.
 */
export async function streamPages(response: ServerResponse, restCall: RestCall, firstPage: Reply): Promise<void> {
  const { nextPage } = restCall.context.response;
  response.setHeaders(new Map(Object.entries(noteHeaders(restCall.context.response))));
  if (nextPage === undefined || response.req.method === 'HEAD') await writePages(response, restCall, firstPage);
  else await asStream(restCall.context.actor, () => writePages(response, restCall, firstPage));
}

/** Counts the caller's streams, and refuses with `service_unavailable` if there are too many. */
export async function asStream(actor: Actor, write: () => Promise<void>): Promise<void> {
  const caller = actor.kind === 'organisation' ? actor.organisationId : 'staff';
  const running = streams.get(caller) ?? 0;
  if (running >= LIMITS.streamed_lists) {
    const detail = `More than ${LIMITS.streamed_lists} lists are being read: try again later.`;
    throw new WireRefusal('service_unavailable', detail);
  }
  streams.set(caller, running + 1);
  try {
    await write();
  } finally {
    const others = (streams.get(caller) ?? 1) - 1;
    others === 0 ? streams.delete(caller) : streams.set(caller, others);
  }
}

async function writePages(response: ServerResponse, restCall: RestCall, firstPage: Reply): Promise<void> {
  const { list = 'pages' } = restCall.route.meta;
  const form = formOf(response, list);
  response.writeHead(firstPage.status, { 'Content-Type': CONTENT_TYPES[form], ...(hasForms(list) && VARY) });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  // From here on it mostly waits for the reader: that is not work.
  endWork(response);
  try {
    await writeWhenRead(response, beginningOf(firstPage, { form, list }));
    if (isOfAccounts(list)) await writeBehind(response, restCall, { name: list, form });
    else await writeOtherPages(response, restCall, { form, list });
    response.end(form === 'json' ? ']' : '');
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** The header of an answer whose form depends on the request's `Accept`. */
const VARY = { Vary: 'Accept' };

interface Shape {
  form: FileForm;
  list: ListName | UnnamedList;
}

const hasForms = (list: ListName | UnnamedList) => list === 'rows' || isOfAccounts(list);

function isOfAccounts(list: ListName | UnnamedList): list is ListName {
  return list !== 'pages' && list !== 'lines' && list !== 'rows';
}

function formOf(response: ServerResponse, list: ListName | UnnamedList): FileForm {
  if (isOfAccounts(list)) return acceptedForm(response.req, ['json', 'ndjson', 'csv']);
  if (list === 'rows') return acceptedForm(response.req, ['ndjson', 'csv']);
  return list === 'lines' ? 'ndjson' : 'json';
}

/** The call for the page of a list at a position. */
export function pageOf(restCall: RestCall, position: Record<string, unknown>): RestCall {
  return { ...restCall, input: { ...restCall.input, ...position, limit: FIRST_PAGE_SIZE } };
}

/** Each page is read when the one before has been, and all such lists of a caller together use one connection. */
async function writeOtherPages(response: ServerResponse, restCall: RestCall, shape: Shape): Promise<void> {
  const { database, response: notes } = restCall.context;
  while (notes.nextPage !== undefined && !response.destroyed) {
    const page = pageOf(restCall, notes.nextPage);
    const read = await oneAtATime(database, 'account-page', () => endingWork(response, () => readPage(page)));
    await writeWhenRead(response, continuationOf(read, shape));
  }
}

async function readPage({ route, input, context }: RestCall): Promise<Reply> {
  const page = await call(route.procedure, input, context);
  if (page.refusal !== undefined) throw page.refusal;
  return page;
}

const linesOf = ({ body }: Reply) => (body as object[]).map((record) => `${JSON.stringify(record)}\n`).join('');

/** The columns of a list in CSV. */
function columnsOf(list: ListName | UnnamedList): string[] {
  return Object.keys((list === 'rows' ? ReconciliationDifference : AccountImportRecord).shape);
}

function rowsOf({ body }: Reply, columns: readonly string[]): string {
  const records = body as Record<string, string | null>[];
  return records.map((record) => csvLine(columns.map((name) => record[name] ?? null))).join('');
}

/** What a list begins with: its first page and, in CSV, the names of the columns before it. */
function beginningOf(page: Reply, { form, list }: Shape): string {
  if (form === 'json') return JSON.stringify(page.body).slice(0, -1);
  return form === 'csv' ? csvLine(columnsOf(list)) + rowsOf(page, columnsOf(list)) : linesOf(page);
}

/** A page as it follows another one. */
function continuationOf(page: Reply, { form, list }: Shape): string {
  if (form === 'json') return `,${JSON.stringify(page.body).slice(1, -1)}`;
  return form === 'csv' ? rowsOf(page, columnsOf(list)) : linesOf(page);
}

/** A large page takes a turn, which ends with it: the next page of another list may be waiting for it. */
async function endingWork<T>(response: ServerResponse, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    endWork(response);
  }
}

/** Resumes where the first page ended, to the last record there is: nobody follows a stream. */
async function writeBehind(
  response: ServerResponse,
  { input, context }: RestCall,
  list: { name: ListName; form: FileForm },
): Promise<void> {
  const { nextPage, isEmptyPage } = context.response;
  if (nextPage === undefined) {
    return;
  }
  const { import_supplier_code, after } = { ...(input as ListAccountImportsRequest), ...nextPage };
  let startsWithComma = isEmptyPage && list.form === 'json';
  for await (const text of readListText(context, list, { import_supplier_code, after })) {
    await writeWhenRead(response, startsWithComma ? text.slice(1) : text);
    if (response.destroyed) {
      return;
    }
    startsWithComma = false;
  }
}

/** Waits until the reader has read everything written so far. */
export async function writeWhenRead(response: ServerResponse, text: string | Uint8Array): Promise<void> {
  if (response.write(text) || response.destroyed) {
    return;
  }
  const over = new AbortController();
  await Promise.race(['drain', 'close'].map((event) => once(response, event, { signal: over.signal })));
  over.abort();
}
