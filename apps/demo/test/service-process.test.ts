import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { createDemoRunner, outputOf, serviceOf } from './support/demo-runner.ts';

const runner = await createDemoRunner(12);
afterAll(() => runner.close());

describe('the service of the demo, a process of its own', () => {
  it('18.5 stops its service and the database when it is interrupted half way, and resumes where it stopped', async () => {
    const demo = runner.start();
    const ended = outputOf(demo);
    await outputOf(demo, '$ causeway move');
    demo.kill('SIGINT');
    demo.kill('SIGINT');
    expect(await ended).toContain('Stopped half way. Run it again');
    expect(demo.exitCode).toBe(130);
    expect(runner.isDatabaseRunning()).toBe(false);
    const again = runner.start({}, '--exit');
    expect(await outputOf(again)).toContain('✓ Only what was refused differs');
    expect(again.exitCode).toBe(0);
  });

  it('18.5 leaves no service and no database behind when it is killed', async () => {
    const demo = runner.start();
    const output = await outputOf(demo, 'Serving until Ctrl-C');
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
    // The service writes to the same pipe, which is closed when both are gone.
    const gone = outputOf(demo);
    demo.kill('SIGKILL');
    await gone;
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    expect(runner.isDatabaseRunning()).toBe(false);
  });

  it('18.5 ends when it is interrupted while the service answers nothing, and says why it stood still', async () => {
    const demo = runner.start();
    const ended = outputOf(demo);
    await outputOf(demo, 'Serving at');
    const service = await serviceOf(demo);
    process.kill(service, 'SIGSTOP');
    try {
      await outputOf(demo, 'The service does not answer yet');
      demo.kill('SIGINT');
      await outputOf(demo, 'Stopped before it was done. Run it again');
    } finally {
      process.kill(service, 'SIGCONT');
    }
    await ended;
    expect(demo.exitCode).toBe(130);
  });

  it('18.7 says that its service ended by itself, and ends with 1', async () => {
    const demo = runner.start();
    await outputOf(demo, 'Serving until Ctrl-C');
    const ended = outputOf(demo);
    process.kill(await serviceOf(demo), 'SIGKILL');
    expect(await ended).toContain('The service ended by itself (SIGKILL)');
    expect(demo.exitCode).toBe(1);
  });

  it('18.7 says that its service ended by itself while accounts were moving, and not that accounts failed', async () => {
    const demo = runner.start();
    const ended = outputOf(demo);
    await outputOf(demo, 'Serving at');
    process.kill(await serviceOf(demo), 'SIGKILL');
    const output = await ended;
    expect(output).toContain('The service ended by itself (SIGKILL)');
    expect(output).not.toContain('This should not have happened');
    expect(demo.exitCode).toBe(1);
    // The next one continues, and stops the database that the killed service has left.
    expect(await outputOf(runner.start({}, '--exit'))).toContain('✓ Only what was refused differs');
    expect(runner.isDatabaseRunning()).toBe(false);
  });
});

describe('a demo whose service cannot start', () => {
  it.each([
    ['a bad variable', { MAX_BODY_BYTES: 'many' }, 'MAX_BODY_BYTES must be a whole number'],
    ['a short staff key', { STAFF_API_KEY: 'short' }, 'STAFF_API_KEY must have 32 characters or more'],
    ['a database without a secret', { DATABASE_URL: 'postgresql://127.0.0.1:1/none' }, 'TOKEN_SECRET must be set'],
    [
      'a database that cannot be reached',
      { DATABASE_URL: 'postgresql://127.0.0.1:1/none', TOKEN_SECRET: 'a secret of thirty-two characters' },
      'ECONNREFUSED',
    ],
  ])('18.7 says in the words of the service that it was given %s, and ends with 1', async (_, variables, words) => {
    const demo = runner.start(variables);
    expect(await outputOf(demo)).toContain(words);
    expect(demo.exitCode).toBe(1);
  });

  it('18.7 says that the port is taken, and starts no database', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const demo = runner.start({ PORT: String(port) });
    expect(await outputOf(demo)).toContain(`Port ${port} is taken: set PORT to another one, or to 0 for any.`);
    expect(demo.exitCode).toBe(1);
    expect(runner.isDatabaseRunning()).toBe(false);
    taken.close();
  });
});
