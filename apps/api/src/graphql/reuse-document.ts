import { type DocumentNode, type GraphQLError, visit } from 'graphql';
import { LRUCache } from 'lru-cache';

const MAX_DOCUMENTS = 100;
const MAX_DOCUMENT_LENGTH = 1_000;
/** A text with at most one string, and without comments or escapes: every quotation mark begins or ends that string. */
const TEXT_AROUND_STRING = /^([^"#\\]*)(?:"([ !$-[\]-~]*)"([^"#\\]*))?$/;

type Checked = DocumentNode | readonly GraphQLError[];

const documents = new LRUCache<string, DocumentNode>({ max: MAX_DOCUMENTS });

/**
 * Caches the result of `check`, which costs half a millisecond: clients send the same obtainToken repeatedly, with
 * different keys. A valid document stays valid with any other string in place of its only one, because every string
 * argument accepts any string, and there is no second string to compare with. No string is kept; a placeholder of the
 * same length keeps the positions in error messages correct.
 */
export function reuseDocument(
  { query, operationName }: { query: string; operationName?: string | null | undefined },
  check: (query: string) => Checked,
): Checked {
  const parts = isCommon(query) ? TEXT_AROUND_STRING.exec(query) : null;
  if (parts === null) return check(query);
  const [, before = '', text, after = ''] = parts;
  const template = text === undefined ? query : `${before}"${'x'.repeat(text.length)}"${after}`;
  const key = JSON.stringify([operationName, template]);
  const known = documents.get(key);
  const checked = known ?? check(template);
  // The errors may quote the string.
  if (!isDocument(checked)) return check(query);
  if (known === undefined) documents.set(key, checked);
  return text === undefined ? checked : withString(checked, text);
}

export function isDocument(checked: Checked): checked is DocumentNode {
  return 'kind' in checked;
}

function isCommon(query: string): boolean {
  return query.length <= MAX_DOCUMENT_LENGTH && query.includes('obtainToken');
}

function withString(document: DocumentNode, value: string): DocumentNode {
  return visit(document, { StringValue: (node) => ({ ...node, value }) });
}
