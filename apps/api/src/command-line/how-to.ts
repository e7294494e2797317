import { page } from '../openapi/page.ts';

const WHAT = `The command line moves a supplier's book from files, and proves what arrived. It is one file, which needs
Node 22.15 or newer and nothing else.`;

function commandsAt(address: string): string {
  return `curl -fO ${address}/cli/causeway.mjs
curl -f ${address}/cli/causeway.mjs.sha256 | sha256sum -c
causeway() { node causeway.mjs "$@"; }
causeway login --url ${address}
causeway --help`;
}

/** For a terminal: `curl ADDRESS/cli/`. */
export function howToText(address: string): string {
  return `${WHAT}\n\n${commandsAt(address).replace(/^/gm, '  ')}\n`;
}

/** The same for a browser. */
export function howToPage(address: string): string {
  return page(
    'The command line of Causeway',
    `<main>
<h1>The command line</h1>
<p>${WHAT}</p>
<pre>${commandsAt(address)}</pre>
<p><a href="/cli/causeway.mjs" download>causeway.mjs</a> and <a href="/cli/causeway.mjs.sha256">its SHA-256</a>.
<code>causeway help move</code> shows how a command is used; the <a href="/docs">reference</a> has the way from
files to a reconciled migration.</p>
</main>`,
  );
}
