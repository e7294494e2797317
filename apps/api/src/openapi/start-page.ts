import { page } from './page.ts';

/** The page at the service's address: what the service is, and where to continue. */
export function startPage(): string {
  return page(
    'Causeway',
    `<main>
<h1>Causeway</h1>
<p>Causeway moves customer accounts onto a platform. Each account is validated, staged and processed, which creates it.
Its notes, transactions, historical statements and payment instruction come with it or are added afterwards. What is
stored can be read back, and what was refused is listed until it is corrected.</p>
<h2>For a supplier's engineers</h2>
<dl>
<dt><a href="/cli/">Command line</a></dt>
<dd>Moves a book from files and proves what arrived: one file for Node.</dd>
<dt><a href="/docs">Reference</a></dt>
<dd>The order of calls, and every path, field, rule and example.</dd>
<dt><a href="/docs/errors">Errors</a></dt>
<dd>Every code, its usual cause, and what your client does about it.</dd>
<dt><a href="/openapi.json">OpenAPI document</a></dt>
<dd>The same for programs: generate a client from it.</dd>
</dl>
<h2>For operators</h2>
<dl>
<dt><a href="/readyz">Readiness</a> and <a href="/healthz">health</a></dt>
<dd>Whether this instance can work, and whether it is alive.</dd>
<dt><code>/metrics</code></dt>
<dd>For Prometheus, here or at a port of its own.</dd>
</dl>
</main>`,
  );
}
