import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { sendWebhooksWhileKilled } from '../src/scenarios/deliver-webhooks.ts';
import { readEventsWhileKilled } from '../src/scenarios/follow-events.ts';
import { sendBesideMany } from '../src/scenarios/send-beside-many.ts';
import { sendEmailsWhileKilled } from '../src/scenarios/send-customer-emails.ts';

test('reliability 34 tells a reader each event once when the service is killed meanwhile', async () => {
  expect(await brokenPromises(readEventsWhileKilled, 1)).toEqual([]);
});

test('reliability 35 sends webhooks once or more, signed and in their order, when the service is killed meanwhile', async () => {
  expect(await brokenPromises(sendWebhooksWhileKilled, 1)).toEqual([]);
});

test('reliability 36 sends no e-mail to a customer twice when the service is killed meanwhile', async () => {
  expect(await brokenPromises(sendEmailsWhileKilled, 1)).toEqual([]);
});

test('reliability 37 sends the events of one organisation beside very many of another', async () => {
  expect(await brokenPromises(sendBesideMany, 20_000)).toEqual([]);
});
