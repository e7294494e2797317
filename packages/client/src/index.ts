export { type CausewayClient, type ClientOptions, createClient } from './create-client.ts';
export { obtainToken, type Token } from './obtain-token.ts';
export type { Inputs, Outputs } from './procedure-types.ts';
export { type Refusal, refusalOf } from './refusal.ts';
