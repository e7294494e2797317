export { type Credential, obtainTokens, TokenRefusal, type Tokens } from './obtain-tokens.ts';
export { type Answer, codeOf, createRestClient, type RestClient, type RestClientOptions } from './rest-client.ts';
