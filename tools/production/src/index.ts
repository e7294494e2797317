export { buildFolder } from './build-folder.ts';
export { canMount, NOBODY, unprivileged } from './unprivileged.ts';
