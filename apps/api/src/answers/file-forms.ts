import type { IncomingMessage } from 'node:http';
import accepts from 'accepts';
import { JSON_CONTENT_TYPE, NDJSON_CONTENT_TYPE } from './send-json.ts';

/** The forms of an answer that is a file of records. */
const MEDIA_TYPES = { json: 'application/json', ndjson: NDJSON_CONTENT_TYPE, csv: 'text/csv' } as const;
export type FileForm = keyof typeof MEDIA_TYPES;

export const CONTENT_TYPES: Record<FileForm, string> = {
  json: JSON_CONTENT_TYPE,
  ndjson: NDJSON_CONTENT_TYPE,
  csv: 'text/csv; charset=utf-8; header=present',
};

/** The form that a request's `Accept` asks for; the first of `forms` if it asks for none of them. */
export function acceptedForm(request: IncomingMessage, forms: readonly [FileForm, ...FileForm[]]): FileForm {
  const types = forms.map((form) => MEDIA_TYPES[form]);
  const accepted = accepts(request).types(types);
  return forms.find((form) => MEDIA_TYPES[form] === accepted) ?? forms[0];
}
