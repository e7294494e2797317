import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Manifest } from './build-folder.ts';

interface Component {
  name: string;
  group?: string;
  version: string;
  'bom-ref': string;
}

interface Sbom {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/** What turns sources into programs, which running from the sources needs and the folder does not. */
const BUILD_TOOLS = /^pkg:npm\/(?:esbuild|vite|%40vitejs\/plugin-react)@/;

const FILTERS = ['api', 'cli', 'console'].map((name) => `--filter=@causeway/${name}`);
const SBOM = ['sbom', '--prod', '--sbom-format=cyclonedx', '--sbom-type=application'];

/**
 * Writes the bill of materials (CycloneDX) by the lockfile: all that the service, the command line and the
 * console depend on in production.
 *
 * @throws if a bundled package is not in it
 */
export function writeSbom(file: string, { manifest, bundled }: { manifest: Manifest; bundled: string[] }): number {
  execFileSync('pnpm', [...FILTERS, ...SBOM, '--out', file], { stdio: 'inherit' });
  const sbom: Sbom = withoutBuildTools(JSON.parse(readFileSync(file, 'utf8')));
  const { components } = sbom;
  const listed = new Set(components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`));
  const missing = [...packagesOf(bundled)].filter((name) => !listed.has(name));
  if (missing.length > 0) throw new Error(`The bill of materials lacks what is bundled: ${missing.join(', ')}`);
  const { name, version, commit } = manifest;
  const purl = `pkg:generic/${name}@${version}`;
  const properties = [{ name: 'commit', value: commit }];
  const { group: _, ...component } = sbom.metadata.component;
  Object.assign(sbom.metadata, { component: { ...component, name, version, purl, properties } });
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  return components.length;
}

/** What is left once the build tools are taken out, and all that only they depend on. */
function withoutBuildTools(sbom: Sbom): Sbom {
  const dependsOn = new Map(sbom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  const kept = new Set([sbom.metadata.component['bom-ref']]);
  for (const ref of kept) {
    for (const next of dependsOn.get(ref) ?? []) if (!BUILD_TOOLS.test(next)) kept.add(next);
  }
  return {
    ...sbom,
    components: sbom.components.filter((component) => kept.has(component['bom-ref'])),
    dependencies: sbom.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((next) => kept.has(next)) })),
  };
}

/** `name@version` of each package of others that these files belong to. */
function packagesOf(files: readonly string[]): Set<string> {
  const folders = files.flatMap((file) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  const manifests = [...new Set(folders)].map((folder) => path.join(folder, 'package.json')).filter(existsSync);
  return new Set(
    manifests.map((manifest) => {
      const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
      return `${name}@${version}`;
    }),
  );
}
