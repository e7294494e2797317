import { createPrivateKey } from 'node:crypto';
import { type EmailSettings, readSmtpUrl } from '@causeway/domain';
import { z } from 'zod';
import { number } from './read-variables.ts';

/** `northwind.example:causeway:KEY`: a domain, a selector and a key. */
const DKIM =
  /^(?<domain>(?=.{1,253}:)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}):(?<selector>[a-z0-9][a-z0-9._-]{0,62}):(?<key>.+)$/is;

/** E-mails to customers (behaviour 29). */
export const emailVariables = {
  SMTP_URL: z
    .string()
    .refine((text) => faultOfSmtpUrl(text) === undefined, { error: ({ input }) => faultOfSmtpUrl(String(input)) ?? '' })
    .optional(),
  EMAILS_PER_MINUTE: number(600, { from: 1, to: 1_000_000 }),
  EMAILS_PER_MAILBOX: number(10, { from: 1, to: 1_000_000 }),
  EMAIL_DKIM: z
    .string()
    .refine(
      (text) => dkimOf(text) !== undefined,
      'must be a domain, a selector and a private key (RSA, as PEM or that in base64), separated by colons',
    )
    .optional(),
};

/** Undefined without a mail server: no e-mails are sent then. */
export function emailEnvironment(data: z.output<z.ZodObject<typeof emailVariables>>): EmailSettings | undefined {
  const { SMTP_URL: url, EMAILS_PER_MINUTE: perMinute, EMAILS_PER_MAILBOX: perMailbox, EMAIL_DKIM: dkim } = data;
  return url === undefined
    ? undefined
    : { server: readSmtpUrl(url), perMinute, perMailbox, dkim: dkim === undefined ? undefined : dkimOf(dkim) };
}

/** What is wrong with it, without any part of it: it has a password. */
function faultOfSmtpUrl(text: string): string | undefined {
  try {
    readSmtpUrl(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function dkimOf(text: string): EmailSettings['dkim'] {
  const { domain = '', selector = '', key = '' } = DKIM.exec(text)?.groups ?? {};
  // A PEM has line breaks, which not every file of variables can hold.
  const privateKey = key.includes('-----BEGIN')
    ? key.replaceAll(String.raw`\n`, '\n')
    : Buffer.from(key, 'base64').toString('utf8');
  try {
    // With a key of another kind nodemailer would send without a signature, and say nothing.
    const isUsable = createPrivateKey(privateKey).asymmetricKeyType === 'rsa';
    return isUsable ? { domainName: domain, keySelector: selector, privateKey } : undefined;
  } catch {
    return undefined;
  }
}
