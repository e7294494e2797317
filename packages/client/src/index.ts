export { type CausewayClient, type ClientOptions, createClient } from './create-client.ts';
export { eachRecord } from './each-record.ts';
export { type Failure, failureOf, type Refusal, refusalOf } from './failure.ts';
export type { Inputs, Outputs } from './procedure-types.ts';
