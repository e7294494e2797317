import { createPrivateKey, createPublicKey, hkdfSync } from 'node:crypto';
import type { Database } from '@causeway/db';
import type { ReportKey, SignReport } from '@causeway/domain';
import { listReportKeys } from '@causeway/domain';
import { Router } from 'express';
import { CompactSign, calculateJwkThumbprint } from 'jose';

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

/** What an Ed25519 key of 32 bytes begins with as PKCS #8. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const PURPOSE = 'causeway: the key that signs reports';

/** Signs reports (behaviour 24.4). */
export interface ReportSigner {
  key: ReportKey;
  sign: SignReport;
}

/**
 * Signs with EdDSA, by a key that is derived from the secret that signs tokens: all instances have the same one, and
 * nothing more has to be kept secret. Another secret is another key; `key` is published before anything is signed.
 */
export async function createReportSigner(secret: string): Promise<ReportSigner> {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, 32));
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  const id = await calculateJwkThumbprint(jwk);
  return {
    key: { id, public_key: jwk.x ?? '' },
    sign: (text) =>
      new CompactSign(Buffer.from(text)).setProtectedHeader({ alg: 'EdDSA', kid: id, cty: 'json' }).sign(privateKey),
  };
}
