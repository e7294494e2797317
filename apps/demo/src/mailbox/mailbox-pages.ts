import type { IncomingMessage, ServerResponse } from 'node:http';

/** An e-mail that the service has sent. */
export interface KeptMail {
  /** How many came before it. */
  number: number;
  to: string;
  subject: string;
  html: string;
  text: string;
  at: Date;
}

/** An e-mail may show itself and do nothing: it has no scripts, and loads nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const PATH = /^\/(\d{1,9})(\.txt)?$/;

/**
 * Answers `/`, the list, `/0`, the first e-mail of all as its reader sees it, and `/0.txt`, the same as text. A link stays
 * that of its e-mail when older ones are no longer kept.
 */
export function answerPage(
  mails: readonly KeptMail[],
  { url = '/' }: Pick<IncomingMessage, 'url'>,
  response: ServerResponse,
): void {
  const answer = (type: string, body: string) =>
    response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8`, 'Content-Security-Policy': POLICY }).end(body);
  if (url === '/') return void answer('text/html', listOf(mails));
  const [, number, isText] = PATH.exec(url) ?? [];
  const mail = mails.find((each) => String(each.number) === number);
  if (mail === undefined) return void response.writeHead(404).end('There is no such e-mail.\n');
  if (isText) answer('text/plain', mail.text);
  else answer('text/html', mail.html);
}

function listOf(mails: readonly KeptMail[]): string {
  const rows = mails.map(({ number, to, subject, at }) => {
    const links = `<a href="/${number}">${escaped(subject)}</a> <a href="/${number}.txt">as text</a>`;
    return `<tr><td>${at.toISOString().slice(11, 19)}</td><td>${escaped(to)}</td><td>${links}</td></tr>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>E-mails of the demo</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #8884; overflow-wrap: anywhere; }
td:first-child { white-space: nowrap; }
@media (width < 40rem) {
  thead { position: absolute; clip-path: inset(50%); }
  tr, td { display: block; }
  tr { padding: .5rem 0; border-bottom: 1px solid #8884; }
  td { padding: 0; border: 0; }
}
</style>
</head>
<body>
<main>
<h1>${headline(mails)}</h1>
<p>The demo's own mail server took them: none has left this machine. Load the page again to see more.</p>
<table>
<thead><tr><th scope="col">At (UTC)</th><th scope="col">To</th><th scope="col">E-mail</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</main>
</body>
</html>
`;
}

function headline(mails: readonly KeptMail[]): string {
  const all = (mails.at(-1)?.number ?? -1) + 1;
  return all === mails.length
    ? `${all} e-mails of the demo`
    : `The newest ${mails.length} of ${all} e-mails of the demo`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
