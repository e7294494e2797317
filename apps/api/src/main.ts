import { enableCompileCache, setSourceMapsSupport } from 'node:module';
import path from 'node:path';
import { buildInfo } from './build-info.ts';
import { takeNoArguments } from './program-arguments.ts';

takeNoArguments({ name: 'main', purpose: 'Serves the account migration import service.' });

// First of all, so that Node keeps what it compiles of the rest: the next start takes half the time. Where the folder
// cannot be written, each start compiles anew, unless NODE_COMPILE_CACHE names another one. Threads read the variable.
const kept = buildInfo.isBuilt ? '../../../compiled' : '../node_modules/.cache/compiled';
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, kept);
enableCompileCache(process.env.NODE_COMPILE_CACHE);
// Stack traces name the sources' lines.
if (buildInfo.isBuilt) setSourceMapsSupport(true, { nodeModules: true });
const { serve } = await import('./serve.ts');
await serve(process.env);
