import { Failure } from '../frame/failure.ts';

/** What it means for the user that a file cannot be read. */
export function unreadable(name: string, error: NodeJS.ErrnoException): Failure {
  const why = { ENOENT: 'there is no such file', EACCES: 'you may not read it' }[error.code ?? ''] ?? error.message;
  return new Failure('usage', `${name} cannot be read: ${why}.`, { cause: error });
}
