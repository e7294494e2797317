import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const PROGRAM = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx'].find((file) => existsSync(file));
const EXAMPLE = path.join(import.meta.dirname, '../../../deploy/nginx.conf');

/** Tests that need nginx are skipped if it is not installed: npm has no package for it. */
export const hasNginx = PROGRAM !== undefined;

/** Starts nginx before a service, with its own defaults or as `deploy/nginx.conf` says, without TLS. */
export async function startNginx(service: string, settings: 'default' | 'deploy') {
  if (PROGRAM === undefined) throw new Error('nginx is not installed.');
  const folder = await mkdtemp(path.join(tmpdir(), `causeway-nginx-${process.pid}-`));
  // Its workers are not root.
  await chmod(folder, 0o755);
  const port = await freePort();
  const { host } = new URL(service);
  const server = settings === 'deploy' ? await example(host, port) : plain(host, port);
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const places = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n');
  const text = `daemon off; pid ${folder}/pid; error_log stderr;\nevents {}\nhttp { access_log off;\n${places}\n${server} }`;
  await writeFile(path.join(folder, 'nginx.conf'), text);
  const child = spawn(PROGRAM, ['-c', path.join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await Promise.race([answering(port), ended.then(() => Promise.reject(new Error('nginx does not start.')))]);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const plain = (host: string, port: number) =>
  `server { listen 127.0.0.1:${port}; location / { proxy_pass http://${host}; } }`;

async function example(host: string, port: number): Promise<string> {
  const text = await readFile(EXAMPLE, 'utf8');
  return text
    .replace('127.0.0.1:3000', host)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace(/ +ssl_certificate.*;\n/g, '');
}

async function answering(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await wait(20);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
