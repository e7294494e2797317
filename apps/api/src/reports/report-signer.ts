import { createPrivateKey, createPublicKey, hkdfSync } from 'node:crypto';
import type { ReportKey, SignReport } from '@causeway/domain';
import { CompactSign, calculateJwkThumbprint } from 'jose';

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
