import type { Defect } from './defect.ts';

const DELIVER = 'packages/domain/src/webhooks/deliver-slice.ts';

/** Webhooks. */
export const MESSAGE_DEFECTS: readonly Defect[] = [
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
];
