import { buildIfChanged } from '../../build/build-if-changed.ts';

/** vitest's global set-up: what the service serves is what the sources say. */
export async function setup(): Promise<void> {
  await buildIfChanged();
}
