import { connect } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { startMailbox } from '../src/mailbox/start-mailbox.ts';

const mailbox = await startMailbox({ maxKept: 2 });
afterAll(() => mailbox.close());

/** Hands a message over, a command once the one before it was answered. */
async function send(subject: string): Promise<void> {
  const socket = connect(Number(new URL(mailbox.smtpUrl).port), '127.0.0.1');
  const message = `From: a@example.com\r\nTo: b@example.com\r\nSubject: ${subject}\r\n\r\nHello from ${subject}\r\n.\r\n`;
  const commands = ['EHLO me', 'MAIL FROM:<a@example.com>', 'RCPT TO:<b@example.com>', 'DATA', message, 'QUIT'];
  for await (const reply of socket) {
    if (!/^\d{3} .*$/m.test(String(reply))) continue;
    const command = commands.shift();
    if (command === undefined) break;
    socket.write(command === message ? message : `${command}\r\n`);
  }
}

const page = async (path: string) => {
  const response = await fetch(new URL(path, mailbox.url));
  return { status: response.status, text: await response.text() };
};

test('18.12 the newest e-mails are kept, and a link stays that of its e-mail', async () => {
  await send('One');
  await send('Two');
  const before = await page('/');
  expect(before.text).toContain('2 e-mails of the demo');
  expect(before.text).toContain('<a href="/1">Two</a>');
  await send('Three');
  const after = await page('/');
  expect(after.text).toContain('The newest 2 of 3 e-mails of the demo');
  expect(after.text).toMatch(/<a href="\/1">Two<\/a>.*<a href="\/2">Three<\/a>/s);
  expect((await page('/1.txt')).text).toContain('Hello from Two');
  expect((await page('/2.txt')).text).toContain('Hello from Three');
  expect((await page('/0')).status).toBe(404);
});
