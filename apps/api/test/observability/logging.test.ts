import { describe, expect, test } from 'vitest';
import { createLogger } from '../../src/observability/logging.ts';

function createTestLogger(level = 'info') {
  const lines: string[] = [];
  const logger = createLogger({ level, stream: { write: (line) => lines.push(line) } });
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') };
}

/** Errors that carry what somebody sent, in the places where their libraries put it. */
const TELLTALE_ERRORS = [
  Object.assign(new Error('duplicate key value violates unique constraint "Ann Lee"'), {
    code: '23505',
    constraint: 'accounts_pkey',
    detail: 'Key (email)=(ann@example.com) already exists.',
    parameters: ['Ann Lee', 'ann@example.com'],
  }),
  new SyntaxError('Unexpected token \'A\', "{"name": Ann Lee... is not valid JSON'),
  new Error('\nInvalid `prisma.customer.create()` invocation\n\n{ data: { email: "ann@example.com" } }'),
  new Error('outer', { cause: Object.assign(new Error('inner "Ann Lee"'), { body: 'ann@example.com' }) }),
  Object.assign(new Error('wrapped'), { issues: [{ input: 'ann@example.com' }], toJSON: () => ({ name: 'Ann Lee' }) }),
];

describe('createLogger', () => {
  test('16.8 writes JSON lines with a time, the name of the level and the fields', () => {
    const { logger, lines, last } = createTestLogger();
    logger.info({ request_id: 'r-1', status: 200, counts: [1, 2] }, 'request');
    expect(last()).toMatchObject({ level: 'info', request_id: 'r-1', status: 200, counts: [1, 2], msg: 'request' });
    expect(new Date(last().time).toISOString()).toBe(last().time);
    expect(lines[0]).toMatch(/\}\n$/);
  });

  test('16.8 obeys LOG_LEVEL', () => {
    const { logger, lines } = createTestLogger('error');
    logger.info('no');
    logger.error('yes');
    expect(lines).toHaveLength(1);
  });

  test.each([
    'payload',
    'body',
    'headers',
    'authorization',
    'token',
    'api_key',
    'name',
    'given_name',
    'email',
    'mobile',
    'url',
  ])('16.8 keeps %s out of the log, wherever it stands', (field) => {
    const { logger, lines } = createTestLogger();
    const secret = { [field]: 'ann@example.com' };
    logger.info(secret, 'top');
    logger.info({ a: secret }, 'inside');
    logger.info({ a: [{ b: { c: secret } }] }, 'deep inside');
    logger.child(secret).info('of a child');
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      expect(line).not.toContain('ann@example.com');
      expect(line).toContain('[redacted]');
    }
  });

  test.each(TELLTALE_ERRORS)('16.8 keeps what an error quotes out of the log: %s', (error) => {
    const { logger, lines } = createTestLogger();
    logger.error(error);
    logger.error({ error });
    logger.error({ error, request_id: 'r-1' }, 'failed');
    logger.error({ err: error }, 'failed');
    logger.error({ attempt: { error } }, 'failed');
    logger.child({ error }).error('failed');
    expect(lines).toHaveLength(6);
    for (const line of lines) {
      expect(line).not.toMatch(/Ann Lee|ann@example/);
      expect(line).toContain('logging.test.ts');
    }
  });

  test('16.8 tells an operator what failed and where', () => {
    const { logger, last } = createTestLogger();
    logger.error({ error: TELLTALE_ERRORS[0] }, 'failed');
    expect(last()).toMatchObject({
      msg: 'failed',
      error: {
        type: 'Error',
        message: 'duplicate key value violates unique constraint …',
        code: '23505',
        constraint: 'accounts_pkey',
        stack: expect.arrayContaining([expect.stringMatching(/^at .*logging\.test\.ts/)]),
      },
    });
    logger.error({ error: TELLTALE_ERRORS[3] }, 'failed');
    expect(last().error).toMatchObject({ message: 'outer', cause: { message: 'inner …' } });
  });

  test('16.8 logs whatever was thrown, also a text and an error that causes itself', () => {
    const { logger, last } = createTestLogger();
    logger.error({ error: 'ann@example.com' }, 'failed');
    const circular = new Error('circular');
    circular.cause = circular;
    logger.error({ error: circular }, 'failed');
    expect(last()).toMatchObject({ error: { message: 'circular', cause: { message: 'circular' } } });
  });
});
