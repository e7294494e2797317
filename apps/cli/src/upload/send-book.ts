import type { Book } from '../book-files/book.ts';
import { openBook } from '../book-files/open-book.ts';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import type { Service } from '../session/open-service.ts';
import { cutParts, MOST_HALVINGS, type Part } from './cut-parts.ts';
import { newUpload, type Wanted } from './find-upload.ts';
import { type SentBook, sendParts, type Upload } from './send-parts.ts';
import { UploadProgress } from './upload-progress.ts';

interface Sending {
  context: Context;
  service: Service;
  wanted: Wanted;
  book: Book;
}

/**
 * Sends a book to its job. Where a part is too large for what lies before the service, parts of half the size are sent, to
 * another job if this one has parts already: those of one job are all cut alike.
 *
 * @param whole the parts of full size; a book that is a stream cannot be cut again
 */
export async function sendBook(
  { context, service, wanted, book }: Sending,
  begun: Upload,
  whole: AsyncIterable<Part>,
): Promise<{ upload: Upload; sent: SentBook }> {
  const [name = ''] = book.files;
  const canCutAgain = book.bytes !== undefined;
  let upload = begun;
  for (let isFirst = true; ; isFirst = false) {
    const isWhole = !canCutAgain || (isFirst && upload.halvings === 0);
    const again = isWhole ? undefined : await openBook(book.files, context);
    const progress = new UploadProgress(context, `${wanted.supplier}  ${name}`, book.bytes);
    let stored = upload.stored.size;
    try {
      const parts = again === undefined ? whole : cutParts(again, context.stop, upload.halvings);
      const onStored = (part: Part, isNew: boolean) => {
        stored += isNew ? 1 : 0;
        progress.stored(part, isNew);
      };
      return { upload, sent: await sendParts(service, upload, { parts, onStored }) };
    } catch (error) {
      const isTooLarge = error instanceof Failure && error.code === 'payload_too_large';
      const mayBegin = stored === 0 || wanted.job === undefined;
      if (!isTooLarge || !canCutAgain || !mayBegin || upload.halvings === MOST_HALVINGS) throw error;
      upload = await halved(service, wanted, { upload, stored });
      context.output.say(`${error.message} Going on with parts of half the size, job ${upload.job.id}.`);
    } finally {
      progress.end();
    }
  }
}

function halved(service: Service, wanted: Wanted, { upload, stored }: { upload: Upload; stored: number }) {
  const halvings = upload.halvings + 1;
  return stored === 0 ? { ...upload, halvings } : newUpload(service, wanted, halvings);
}
