import type { Book } from '../book-files/book.ts';
import type { Context, Result } from '../frame/define-command.ts';
import { type Ending, EXIT_CODES, Failure } from '../frame/failure.ts';

/** One book is as its job; of several each is said as it ends, and a failure of a later one takes nothing back. */
export async function uploadEach(
  context: Context,
  books: readonly Book[],
  uploadOne: (book: Book) => Promise<Result>,
): Promise<Result> {
  const [only] = books;
  if (books.length === 1 && only !== undefined) return uploadOne(only);
  const { output } = context;
  const documents: object[] = [];
  let ending: Ending = 'done';
  for (const [index, book] of books.entries()) {
    const [name = ''] = book.files;
    try {
      const result = await uploadOne(book);
      ending = result.ending !== undefined && result.ending !== 'done' ? result.ending : ending;
      documents.push({ book: name, job: result.document });
      output.event('book', { book: name, job: result.document });
      if (output.form === 'text') for (const line of [name, ...(result.lines ?? []), '']) await output.line(line);
    } catch (error) {
      if (!(error instanceof Failure) || index === 0) throw error;
      const left = books.slice(index + 1).flatMap(({ files }) => files);
      const lines = left.length === 0 ? error.lines : [...error.lines, `  Not begun: ${left.join(', ')}`];
      output.fail(`${name}: ${error.message}`, lines);
      const code = EXIT_CODES[error.ending].code;
      documents.push({ book: name, error: { detail: error.message, exit_code: code } });
      output.event('book', documents.at(-1) ?? {});
      return { ending: error.ending, document: { books: documents } };
    }
  }
  return { ending, document: { books: documents } };
}
