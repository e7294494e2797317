import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDemoRunner, outputOf, serviceOf } from './support/demo-runner.ts';

const createRunner = async () => {
  const runner = await createDemoRunner(12);
  onTestFinished(() => runner.close());
  return runner;
};

describe('the service of the demo, a process of its own', () => {
  it('18.5 is stopped half way when the demo is interrupted, resumes, and is not left behind when it is killed', async () => {
    const runner = await createRunner();
    const demo = runner.start();
    const ended = outputOf(demo);
    await outputOf(demo, '$ causeway move');
    demo.kill('SIGINT');
    demo.kill('SIGINT');
    expect(await ended).toContain('Stopped half way. Run it again');
    expect(demo.exitCode).toBe(130);
    expect(runner.isDatabaseRunning()).toBe(false);

    const again = runner.start();
    const output = await outputOf(again, 'Serving until Ctrl-C');
    expect(output).toContain('✓ Only what was refused differs');
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
    // The service writes to the same pipe, which is closed when both are gone.
    const gone = outputOf(again);
    again.kill('SIGKILL');
    await gone;
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    expect(runner.isDatabaseRunning()).toBe(false);
  });

  it('18.5 answers nothing when the demo is interrupted, which ends and says why it stood still', async () => {
    const runner = await createRunner();
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

  it('18.1 18.7 ends by itself while accounts move and while it serves, which the demo says, and is waited for when busy', async () => {
    const runner = await createRunner();
    const demo = runner.start();
    const ended = outputOf(demo);
    await outputOf(demo, 'Serving at');
    process.kill(await serviceOf(demo), 'SIGKILL');
    const output = await ended;
    expect(output).toContain('The service ended by itself (SIGKILL)');
    expect(output).not.toContain('This should not have happened');
    expect(demo.exitCode).toBe(1);

    // The next one continues, with a service that takes few calls, on the database that the killed one has left.
    const next = runner.start({ MAX_REQUESTS_AT_WORK: '4' });
    expect(await outputOf(next, 'Serving until Ctrl-C')).toContain('✓ Only what was refused differs');
    const nextEnded = outputOf(next);
    process.kill(await serviceOf(next), 'SIGKILL');
    expect(await nextEnded).toContain('The service ended by itself (SIGKILL)');
    expect(next.exitCode).toBe(1);
  });
});

describe('a demo whose service cannot start', () => {
  it.each([
    [
      'bad variables',
      { MAX_BODY_BYTES: 'many', STAFF_API_KEY: 'short' },
      /STAFF_API_KEY must have 32 characters or more.*MAX_BODY_BYTES must be a whole number/s,
    ],
    ['a database without a secret', { DATABASE_URL: 'postgresql://127.0.0.1:1/none' }, /TOKEN_SECRET must be set/],
    [
      'a database that cannot be reached',
      { DATABASE_URL: 'postgresql://127.0.0.1:1/none', TOKEN_SECRET: 'a secret of thirty-two characters' },
      /ECONNREFUSED/,
    ],
  ])('18.7 says in the words of the service that it was given %s, and ends with 1', async (_, variables, words) => {
    const demo = (await createRunner()).start(variables);
    expect(await outputOf(demo)).toMatch(words);
    expect(demo.exitCode).toBe(1);
  });

  it('18.7 says that the port is taken, and starts no database', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const runner = await createRunner();
    const demo = runner.start({ PORT: String(port) });
    expect(await outputOf(demo)).toContain(`Port ${port} is taken: set PORT to another one, or to 0 for any.`);
    expect(demo.exitCode).toBe(1);
    expect(runner.isDatabaseRunning()).toBe(false);
    taken.close();
  });
});
