import { writeFileSync } from 'node:fs';
import { createDocument } from './document.ts';

// node src/rest/write-document.ts: writes the published document to apps/api/openapi.json, which is committed.
writeFileSync(new URL('../../openapi.json', import.meta.url), `${JSON.stringify(createDocument(), null, 2)}\n`);
