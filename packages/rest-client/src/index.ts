export { boundedText } from './bounded-text.ts';
export { NotTheService } from './not-the-service.ts';
export { type Credential, obtainTokens, TokenRefusal, type Tokens } from './obtain-tokens.ts';
export { Redirected } from './redirected.ts';
export { type Answer, type Attempt, codeOf, repeatAfter } from './repeat-after.ts';
export { type Call, createRestClient, postOf, type RestClient, type RestClientOptions } from './rest-client.ts';
export { NO_TLS, untrustedCertificate } from './untrusted-certificate.ts';
