/** What a browser can have too: nothing of Node's, and no schemas. The typed client shares it. */
export { type AccessToken, createAccessToken } from './access-token.ts';
export { obtainTokens, type Send, TokenRefusal, type Tokens } from './obtain-tokens.ts';
export { PASSING_CODES } from './passing-codes.ts';
export { untrustedCertificate } from './untrusted-certificate.ts';
