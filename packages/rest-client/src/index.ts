export { type Answer, codeOf, createRestClient, type RestClient } from './rest-client.ts';
