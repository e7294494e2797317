import { ErrorBody } from '@causeway/contracts';
import { type Answer, codeOf } from '@causeway/rest-client';
import type { z } from 'zod';

/** The body of an answer that must have this status and shape; throws an Error that says what came instead. */
export function bodyOf<Schema extends z.ZodType>(answer: Answer, status: number, schema: Schema): z.output<Schema> {
  if (answer.status !== status) throw unexpected(answer);
  const parsed = schema.safeParse(answer.body);
  if (!parsed.success) throw unexpected(answer, 'its body is not the documented one');
  return parsed.data;
}

/** The lines of an answer in NDJSON. */
export function linesOf<Schema extends z.ZodType>(answer: Answer, schema: Schema): z.output<Schema>[] {
  if (answer.status !== 200 || typeof answer.body !== 'string') throw unexpected(answer);
  const lines = answer.body.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const parsed = schema.safeParse(JSON.parse(line));
    if (!parsed.success) throw unexpected(answer, 'one of its lines is not the documented one');
    return parsed.data;
  });
}

/** The code of a refusal, if it is the one the book expects; throws an Error for any other answer. */
export function expectedRefusalOf(answer: Answer, expected: string | undefined): string {
  const body = ErrorBody.safeParse(answer.body).data;
  const isRefusal = answer.status === 400 || codeOf(answer) === 'payment_vendor_unavailable';
  if (!body || !isRefusal) throw unexpected(answer);
  const [blamed] = body.errors;
  const code = body.code.endsWith('_failed_validation') && blamed ? blamed.code : body.code;
  if (code !== expected) throw unexpected(answer, `expected was ${expected ?? 'no refusal'}`);
  return code;
}

/** An Error that names the request, what it answered and the id to look for in the log. */
export function unexpected(answer: Answer, why?: string): Error {
  const body = ErrorBody.safeParse(answer.body).data;
  const [blamed] = body?.errors ?? [];
  const said = body ? ` ${body.code}: ${blamed ? `${blamed.attr}: ${blamed.detail}` : body.detail}` : '';
  return new Error(`${answer.request} answered ${answer.status}${said}${why ? ` (${why})` : ''} [${answer.requestId}]`);
}
