/** What Node calls a certificate that cannot be verified. */
const CODES = new Set([
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'ERR_TLS_CERT_ALTNAME_FORMAT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The code where TLS is answered with something else, such as HTTP. */
export const NO_TLS = 'ERR_SSL_WRONG_VERSION_NUMBER';

/** Why a call failed, if it is the certificate of what was called, or that it has no TLS: trying again does not help. */
export function untrustedCertificate(error: unknown): { code: string; message: string } | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, message }: Error & { code?: unknown } = at;
    if (typeof code === 'string' && CODES.has(code)) return { code, message };
    // Where it is noticed while writing, the code is EPROTO.
    if (message.includes('wrong version number')) return { code: NO_TLS, message };
  }
  return undefined;
}
