export { type CheckAccountOptions, checkAccount } from './check-account.ts';
export { type CheckNotesOptions, checkNotes } from './check-notes.ts';
export { JsonRefusal } from './strict-json/json-refusal.ts';
export { decodeUtf8, parseStrictJson, plainJson, requireObject } from './strict-json/strict-json.ts';
