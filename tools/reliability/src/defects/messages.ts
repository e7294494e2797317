import type { Defect } from './defect.ts';

const DELIVER = 'packages/domain/src/webhooks/deliver-slice.ts';
const EMAIL_WORK = 'packages/domain/src/customer-emails/email-work.sql.ts';

/** Events, webhooks and e-mails: rows 34 to 36. */
export const MESSAGE_DEFECTS: readonly Defect[] = [
  {
    name: 'a reader of events passes what may still be committed',
    ...{ row: 34, size: 2 },
    edits: [
      {
        file: 'packages/domain/src/events/read-events.ts',
        find: 'const unsettledFrom = await firstUnsettled(database, organisation_id);',
        replace: "const unsettledFrom = '999999999999999999';",
      },
    ],
  },
  {
    name: 'an endpoint continues behind what was read for it, whether it was sent or not',
    ...{ row: 35, size: 2 },
    edits: [
      {
        file: DELIVER,
        find: 'const position = sent.length === messages.length ? end : positionAfter(endpoint, messages);',
        replace: 'const position = end;',
      },
    ],
  },
  {
    name: 'a message counts as accepted before its answer has come',
    ...{ row: 35, size: 2 },
    edits: [
      {
        file: DELIVER,
        find: 'message.answer = await sender.send({ body: message.body, headers });',
        replace: `void sender.send({ body: message.body, headers });
        message.answer = { failure: null, status: 200, duration_ms: 0, answer: null };`,
      },
    ],
  },
  {
    name: 'an e-mail whose sender was killed is sent again',
    ...{ row: 36, size: 2 },
    edits: [
      {
        file: EMAIL_WORK,
        find: "SET state = 'IN_DOUBT', lease_until = NULL,",
        replace: "SET state = 'QUEUED', next_attempt_at = lease_until, lease_until = NULL,",
      },
    ],
  },
  {
    name: 'that an e-mail is being sent is written after the dialogue with the server',
    ...{ row: 36, size: 2 },
    edits: [
      {
        file: EMAIL_WORK,
        find: "THEN 'QUEUED' ELSE 'SENDING' END)",
        replace: "THEN 'QUEUED' ELSE 'QUEUED' END)",
      },
      {
        file: EMAIL_WORK,
        find: `lease_until = CASE WHEN left_out IS NULL THEN \${'lease_until'}::timestamptz END`,
        replace: 'lease_until = NULL',
      },
      {
        file: EMAIL_WORK,
        find: "next_attempt_at = CASE WHEN left_out = 'MAILBOX_LIMIT'",
        replace: `next_attempt_at = CASE WHEN left_out IS NULL THEN \${'lease_until'}::timestamptz WHEN left_out = 'MAILBOX_LIMIT'`,
      },
      { file: EMAIL_WORK, find: "state IN ('SENDING', 'IN_DOUBT')", replace: "state IN ('QUEUED', 'IN_DOUBT')" },
    ],
  },
  {
    name: 'an e-mail whose connection broke after its text is tried again',
    ...{ row: 36, size: 2 },
    edits: [
      {
        file: 'packages/domain/src/customer-emails/smtp-transport.ts',
        find: 'if (isHandedOver && !isRefusal && !isPutOff)',
        replace: "if (isHandedOver && !isRefusal && !isPutOff && to === '')",
      },
    ],
  },
];
