import type { Database } from '@causeway/db';
import { listReportKeys } from '@causeway/domain';
import { Router } from 'express';

export const KEY_SET_PATH = '/.well-known/jwks.json';

/** Anybody may ask for the keys, as often as it likes. */
const REMEMBERED_FOR_MS = 4_000;

/** `GET /.well-known/jwks.json`: the public keys of all reports, as a JWK Set (behaviour 24.4). */
export function createKeySetRouter({ database, clock }: { database: Database; clock: () => Date }): Router {
  const router = Router();
  let remembered: { at: number; text: Promise<string> } | undefined;
  router.get(KEY_SET_PATH, async (_request, response) => {
    const now = clock().getTime();
    const age = remembered === undefined ? Number.NaN : now - remembered.at;
    if (remembered === undefined || !(age >= 0 && age < REMEMBERED_FOR_MS)) {
      const text = readKeySet(database);
      remembered = { at: now, text };
      text.catch(() => {
        if (remembered?.text === text) remembered = undefined;
      });
    }
    const text = await remembered.text;
    response.setHeader('Content-Type', 'application/jwk-set+json').setHeader('Cache-Control', 'public, max-age=60');
    response.end(text);
  });
  return router;
}

async function readKeySet(database: Database): Promise<string> {
  const keys = (await listReportKeys(database)).map(({ id, public_key }) => {
    return { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: id, x: public_key };
  });
  return JSON.stringify({ keys });
}
