import { accessToken } from '../session/session.ts';

/** Long enough for the browser to begin with it. */
const RELEASE_AFTER_MS = 60_000;

/** What the service said instead of a file. */
export class FileRefusal extends Error {}

interface WantedFile {
  /** Its path at the service. */
  path: string;
  /** Under which it is saved. */
  name: string;
  accept?: string;
}

/**
 * Has the browser save a file of the service: `saveFile({ path: job.links.results, name: 'results.ndjson' })`. The token
 * is sent in a header, never in an address. The browser keeps a large answer on its disk, not in the memory of the page.
 *
 * @throws FileRefusal with the sentence of the service
 */
export async function saveFile({ path, name, accept }: WantedFile): Promise<void> {
  const headers = new Headers({ Authorization: `Token ${await accessToken()}` });
  if (accept !== undefined) headers.set('Accept', accept);
  const answer = await fetch(new URL(path, location.origin), { headers });
  if (!answer.ok) throw new FileRefusal(await sentenceOf(answer));
  saveBlob(name, await answer.blob());
}

/** Has the browser save what the page has itself. */
export function saveBlob(name: string, blob: Blob): void {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), RELEASE_AFTER_MS);
}

async function sentenceOf(answer: Response): Promise<string> {
  const body = (await answer.json().catch(() => ({}))) as { errors?: { detail?: string }[] };
  return body.errors?.[0]?.detail ?? `The service answered ${answer.status}.`;
}
