import { expect, test } from 'vitest';
import { lanePoolSize, settingsOfLanes } from '../../src/bulk/lane-settings.ts';
import { readEnvironment } from '../../src/env.ts';

const environmentOf = (variables: Record<string, string>) =>
  readEnvironment({ SMTP_URL: 'smtp://mail.example', BULK_LANES: '3', WEBHOOK_LANES: '5', ...variables });
const lanesOf = (variables: Record<string, string>) => {
  const environment = environmentOf(variables);
  return (['bulk', 'sending'] as const).map((kind) => {
    const settings = settingsOfLanes(environment, kind);
    const { bulk, emails, webhooks } = settings;
    return { bulk: bulk.lanes, emails: emails !== undefined, webhooks: webhooks.lanes, pool: lanePoolSize(settings) };
  });
};

test('21.11.1 what talks to strangers has a thread of its own, beside that of bulk jobs', () => {
  expect(lanesOf({})).toEqual([
    { bulk: 3, emails: false, webhooks: 0, pool: 5 },
    { bulk: 0, emails: true, webhooks: 5, pool: 4 },
  ]);
});

test('21.11.1 who leaves bulk jobs to others leaves e-mails to them, and no thread has nothing to do', () => {
  expect(lanesOf({ BULK_LANES: '0' })).toEqual([
    { bulk: 0, emails: false, webhooks: 0, pool: 0 },
    { bulk: 0, emails: false, webhooks: 5, pool: 2 },
  ]);
});
