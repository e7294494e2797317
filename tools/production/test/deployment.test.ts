import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');
const DEPLOY = path.join(REPOSITORY, 'deploy');

interface Service {
  environment: Record<string, unknown>;
  volumes?: string[];
  command?: string[];
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
}

const read = (file: string) => readFileSync(path.join(REPOSITORY, file), 'utf8');

/** The variables of the service, by its own code, and Node's. */
const VARIABLES = new Set([
  ...['apps/api/src/env.ts', 'apps/api/src/database-environment.ts'].flatMap((file) =>
    [...read(file).matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name ?? ''),
  ),
  ...['NODE_ENV', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE'],
]);
const unknown = (names: readonly string[]) => names.filter((name) => !VARIABLES.has(name));

/** What the production folder has in it to run. */
const COMMANDS = ['main.js', 'migrate.js', 'worker.js'];

describe('the Dockerfile', () => {
  const text = read('deploy/Dockerfile');
  const dockerfile = DockerfileParser.parse(text);
  const manifest = JSON.parse(read('package.json'));

  test('16.2.5 the Dockerfile has no mistake that a linter finds', () => {
    expect(validate(text).map(({ message }) => message)).toEqual([]);
  });

  test('16.2.5 the Dockerfile has the Node and the pnpm of the repository', () => {
    const images = dockerfile.getFROMs().map((from) => from.getImage());
    expect(images).toEqual(Array(2).fill(`node:${manifest.dependencies.node}-slim`));
    expect(new Set(text.match(/pnpm@[\d.]+/g))).toEqual(new Set([manifest.packageManager]));
  });

  test('16.2.5 the Dockerfile ends as a user without rights, who runs Node itself', () => {
    const instructions = dockerfile.getInstructions();
    expect(instructions.findLast((one) => one.getKeyword() === 'USER')?.getArgumentsContent()).toBe('1000:1000');
    expect(JSON.parse(dockerfile.getCMDs().at(-1)?.getArgumentsContent() ?? '')).toEqual(['node', 'main.js']);
    expect(dockerfile.getHEALTHCHECKs()).toHaveLength(1);
    const variables = dockerfile.getENVs().flatMap((env) => env.getProperties().map((one) => one.getName()));
    expect(unknown(variables.filter((name) => !['CI', 'COMMIT'].includes(name)))).toEqual([]);
  });
});

describe('compose.yaml', () => {
  const { services }: { services: Record<string, Service> } = parse(read('deploy/compose.yaml'), { merge: true });
  const ours = [services.service, services.migrate] as Service[];

  test('16.2.5 compose.yaml sets variables that the service has', () => {
    for (const { environment } of ours) expect(unknown(Object.keys(environment))).toEqual([]);
    const asked = new Set([...read('deploy/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    expect(new Set([...read('deploy/env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name))).toEqual(asked);
  });

  test('16.2.5 compose.yaml mounts files that exist, and runs commands that the folder has', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((one) => one.split(':')[0] ?? ''),
    );
    expect(mounted.filter((file) => file.startsWith('.') && !existsSync(path.join(DEPLOY, file)))).toEqual([]);
    expect(services.migrate?.command?.slice(1).filter((file) => !COMMANDS.includes(file))).toEqual([]);
    for (const { read_only, cap_drop } of ours) expect([read_only, cap_drop]).toEqual([true, ['ALL']]);
  });

  test('16.2.5 compose.yaml lets Prometheus and a browser find the service where it listens', () => {
    const { scrape_configs: jobs, rule_files: rules } = parse(read('deploy/prometheus/prometheus.yaml'));
    expect(jobs[0].static_configs[0].targets).toEqual([`service:${services.service?.environment.METRICS_PORT}`]);
    const ruleFiles: string[] = rules.map((file: string) => path.join(DEPLOY, 'prometheus', file));
    expect(ruleFiles.filter((file) => !existsSync(file))).toEqual([]);
    const port = /PORT: number\((\d+)/.exec(read('apps/api/src/env.ts'))?.[1];
    expect(services.service?.ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(read('deploy/Dockerfile')).toContain(`EXPOSE ${port}`);
  });
});

test('16.2.5 the unit of systemd runs a command of the folder, with variables that the service has', () => {
  const unit = read('deploy/causeway.service');
  const [, file] = /^ExecStart=\/usr\/bin\/node .*\/opt\/causeway\/(\S+)$/m.exec(unit) ?? [];
  expect(COMMANDS).toContain(file);
  const variables = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, words = '']) => words.split(' '));
  expect(unknown(variables.map((word) => word.split('=')[0] ?? ''))).toEqual([]);
});
