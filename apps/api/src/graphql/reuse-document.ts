import { type DocumentNode, type GraphQLError, visit } from 'graphql';
import { LRUCache } from 'lru-cache';

const MAX_DOCUMENTS = 100;
const MAX_DOCUMENT_LENGTH = 1_000;
/** A text with one string at most, and neither a comment nor an escape: every quotation mark begins or ends that string. */
const TEXT_AROUND_STRING = /^([^"#\\]*)(?:"([ !$-[\]-~]*)"([^"#\\]*))?$/;

type Checked = DocumentNode | readonly GraphQLError[];

const documents = new LRUCache<string, DocumentNode>({ max: MAX_DOCUMENTS });

/**
 * What `check` makes of a document, which costs half a millisecond: clients send the same obtainToken again and again, with
 * another key. A document that was good is good with any other string in the place of its only one, since all that takes
 * strings takes any and there is no other to compare it with. No string is kept, and one as long stands in its place:
 * everything else stays where it is, as errors say.
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
  // The errors may speak of the string.
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
