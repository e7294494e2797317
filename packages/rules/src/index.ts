export { type CheckAccountOptions, checkAccount } from './check-account.ts';
export { type CheckNotesOptions, checkNotes } from './check-notes.ts';
