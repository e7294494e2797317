import type { Request } from 'express';
import { JSON_CONTENT_TYPE, NDJSON_CONTENT_TYPE } from './send-json.ts';

/** The forms of an answer that is a file of records, by their media types. The first is the one by default. */
const MEDIA_TYPES = { 'application/json': 'json', [NDJSON_CONTENT_TYPE]: 'ndjson', 'text/csv': 'csv' } as const;
export type FileForm = (typeof MEDIA_TYPES)[keyof typeof MEDIA_TYPES];

export const CONTENT_TYPES: Record<FileForm, string> = {
  json: JSON_CONTENT_TYPE,
  ndjson: NDJSON_CONTENT_TYPE,
  csv: 'text/csv; charset=utf-8; header=present',
};

/** The form that a request's `Accept` asks for; JSON if it asks for none of them. */
export function acceptedForm(request: Request): FileForm {
  const type = request.accepts(Object.keys(MEDIA_TYPES));
  return type === false ? 'json' : MEDIA_TYPES[type as keyof typeof MEDIA_TYPES];
}

const NEEDS_QUOTES = /[",\r\n]/;

/** One line of CSV (RFC 4180, each line ended by a line feed); null is an empty field. */
export function csvLine(values: readonly (string | null)[]): string {
  const fields = values.map((value) => {
    const text = value ?? '';
    return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${fields.join(',')}\n`;
}
