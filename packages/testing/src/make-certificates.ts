import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** Of an authority of one's own, and of a server at `name`, signed by it. */
export interface Certificates {
  /** The file of the authority's certificate: sslrootcert. */
  authority: string;
  certificate: string;
  key: string;
  remove(): Promise<void>;
}

export const hasOpenssl = ['/usr/bin/openssl', '/usr/local/bin/openssl', '/opt/homebrew/bin/openssl'].some((file) =>
  existsSync(file),
);

/** @param name of the server, as in a certificate: `IP:127.0.0.1`, `DNS:db.example` */
export async function makeCertificates(name: string): Promise<Certificates> {
  const folder = await mkdtemp(path.join(tmpdir(), `causeway-certificates-${process.pid}-`));
  await chmod(folder, 0o755);
  const at = (file: string) => path.join(folder, file);
  const openssl = (...options: string[]) => promisify(execFile)('openssl', options, { cwd: folder });
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const authority = ['-subj', '/CN=Authority of a test', '-addext', 'basicConstraints=critical,CA:TRUE'];
  await openssl('req', '-x509', ...fresh, '-days', '2', ...authority, '-keyout', 'ca.key', '-out', 'ca.crt');
  await openssl('req', ...fresh, '-subj', '/CN=server', '-keyout', 'server.key', '-out', 'server.csr');
  await writeFile(at('names'), `subjectAltName=${name}\n`);
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
  await openssl('x509', '-req', '-in', 'server.csr', ...signed, '-out', 'server.crt');
  return {
    authority: at('ca.crt'),
    certificate: await readFile(at('server.crt'), 'utf8'),
    key: await readFile(at('server.key'), 'utf8'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
