import { writeFileSync } from 'node:fs';
import { documentText } from './document.ts';

// node src/openapi/write-document.ts: writes the published document to apps/api/openapi.json, which is committed.
writeFileSync(new URL('../../openapi.json', import.meta.url), documentText());
