import { Event } from '@causeway/contracts';
import type { oas31 } from 'zod-openapi';
import { schemaReference } from './schemas.ts';

const header = (name: string, description: string, example: string): oas31.ParameterObject => ({
  in: 'header',
  name,
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const [EXAMPLE] = (Event.meta()?.examples ?? []) as [Event];

/** What a receiver of webhooks gets (behaviour 28.2, 28.3): the section `webhooks` of the document. */
export function publishedWebhooks(): NonNullable<oas31.OpenAPIObject['webhooks']> {
  return {
    event: {
      post: {
        operationId: 'receiveEvent',
        tags: ['Webhooks'],
        summary: 'Receive event',
        description:
          'An event of your organisation, sent to each of its webhook endpoints that wants its type. Verify the signature ' +
          'over the body as it arrived, before you parse it (Standard Webhooks), answer 2xx within 15 seconds, and do the ' +
          'work afterwards. The same event may arrive more than once, always with the same `webhook-id`.',
        security: [],
        parameters: [
          header('webhook-id', 'The id of the event: ignore one that you have seen.', EXAMPLE.id),
          header('webhook-timestamp', 'When it was sent, in seconds since 1970. Refuse what is old.', '1776418213'),
          header(
            'webhook-signature',
            'The signatures, `v1,` and base64 each, with spaces between them: one of them must be right. After a rotation there are two.',
            'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
          ),
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: schemaReference('Event'),
              examples: eventExamples(),
            },
          },
        },
        responses: {
          '2XX': { description: 'Accepted: it is not sent again.' },
          '410': { description: 'Gone: the endpoint is disabled, and nothing is sent to it any more.' },
          default: { description: 'Not accepted: it is sent again, for three days. Redirects are not followed.' },
        },
      },
    },
  };
}

/** What each type of event tells, by its schema. */
function eventExamples(): Record<string, oas31.ExampleObject> {
  const examples = Event.options.flatMap(({ shape }) => {
    const [data] = shape.data.meta()?.examples ?? [];
    return shape.type.options.map((type) => [type, { summary: type, value: { ...EXAMPLE, type, data } }] as const);
  });
  return Object.fromEntries(examples);
}
