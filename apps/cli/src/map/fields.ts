import { KIND_NAMES, type KindName } from '../convert/kind-names.ts';
import { KEYS, NAMES } from './field-names.ts';
import { NameBook } from './name-words.ts';

/** A place in the payload to which a column may go. */
export interface Field {
  kind: KindName;
  /** As a view names it: a path, or a key column. */
  path: string;
}

export type Key = keyof typeof KEYS;
const KEY_KINDS: readonly Key[] = ['account', 'customer', 'meterPoint', 'meter'];

type Named = { field: Field; isWeak: boolean };

/** All fields that the trade names. */
export const NAMED_FIELDS: Field[] = [];
const FIELD_NAMES = new NameBook<Named>();
for (const kind of KIND_NAMES) {
  for (const [path, names] of Object.entries(NAMES[kind] ?? {})) {
    NAMED_FIELDS.push({ kind, path });
    for (const name of names.split(', ')) {
      FIELD_NAMES.add(name.replace('?', ''), { field: { kind, path }, isWeak: name.startsWith('?') });
    }
  }
}

const KEY_NAMES = new NameBook<Key>();
for (const key of KEY_KINDS) {
  for (const name of KEYS[key].split(', ')) KEY_NAMES.add(name, key);
}

/** The fields that a header may mean in the words of the trade. */
export const fieldsNamed = (header: string): readonly Named[] => FIELD_NAMES.meaningsOf(header);

/** The key that a header means. */
export const keyNamed = (header: string): Key | undefined => KEY_NAMES.meaningsOf(header)[0];
