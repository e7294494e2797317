export { type CausewayClient, type ClientOptions, createClient } from './create-client.ts';
export type { Inputs, Outputs } from './procedure-types.ts';
export { type Refusal, refusalOf } from './refusal.ts';
