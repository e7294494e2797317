/** What a browser can have too: nothing of Node's, and no schemas. The typed client shares it. */
export { createAccessToken } from './access-token.ts';
export { type Send, TokenRefusal } from './obtain-tokens.ts';
export { PASSING_CODES } from './passing-codes.ts';
