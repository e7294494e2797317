export { buildFolder } from './build-folder.ts';
export { canMount, unprivileged } from './unprivileged.ts';
