import { buildIfChanged } from './build-if-changed.ts';

// node apps/console/build/main.ts: what the service serves at /console/, made anew where the sources have changed.
await buildIfChanged();
