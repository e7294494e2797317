import { createHash, createVerify, type KeyObject } from 'node:crypto';

/** Whether the signature of a message is right (RFC 6376, `relaxed/relaxed`), over its body and these of its headers. */
export function verifyDkim(raw: string, publicKey: KeyObject): { tags: Record<string, string>; isRight: boolean } {
  const [head = '', ...parts] = raw.split('\r\n\r\n');
  const headers = head.split(/\r\n(?![ \t])/).map((line) => {
    const [, name = '', value = ''] = /^([^:]+):([\s\S]*)$/.exec(line) ?? [];
    return { name: name.trim().toLowerCase(), value };
  });
  const signature = headers.find(({ name }) => name === 'dkim-signature')?.value ?? '';
  const tags = Object.fromEntries(
    signature.split(';').map((tag) => {
      const [, name = '', value = ''] = /^\s*(\w+)\s*=([\s\S]*)$/.exec(tag) ?? [];
      return [name, value.replaceAll(/\s+/g, '')];
    }),
  );
  const lines = parts
    .join('\r\n\r\n')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ (?=\r\n)/g, '');
  const body = lines.replace(/(?:\r\n)*$/, '\r\n');
  const relaxed = (value: string) => value.replaceAll(/\s+/g, ' ').trim();
  const signed = (tags.h ?? '').split(':').map((name) => {
    const found = headers.findLast((header) => header.name === name.toLowerCase());
    return found === undefined ? '' : `${found.name}:${relaxed(found.value)}\r\n`;
  });
  const own = `dkim-signature:${relaxed(signature.replace(/(\bb=)[^;]*$/, '$1'))}`;
  const verifier = createVerify('RSA-SHA256').update(signed.join('') + own);
  const isBody = createHash('sha256').update(body).digest('base64') === tags.bh;
  return { tags, isRight: isBody && verifier.verify(publicKey, tags.b ?? '', 'base64') };
}
