import type { Action } from '../frame/define-command.ts';
import { SHELLS } from './shells.ts';
import { placesOf } from './words.ts';

/** Prints the script that a shell reads to complete the words of this program (behaviour 25.9.5). */
export const completion: Action = async (_context, { words: [shell], program }) => {
  const script = SHELLS[shell as keyof typeof SHELLS](placesOf(program));
  return { document: { shell, script }, lines: [script.trimEnd()] };
};
