import path from 'node:path';

/** What test runs keep for each other. It can be removed at any time. */
export const CACHE = path.resolve(import.meta.dirname, '../../../node_modules/.cache/causeway-tests');
