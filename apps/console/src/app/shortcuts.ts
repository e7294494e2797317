import { useEffect, useRef, useSyncExternalStore } from 'react';
import { createListeners } from '../data/listeners.ts';

export interface KeyCommand {
  /** What is pressed: `/`, or one after the other: `g o`. */
  keys: string;
  /** For the dialog of keys. */
  name: string;
}

interface Registered extends KeyCommand {
  run(): void;
}

/** Between the two keys of a command. */
const PATIENCE_MS = 1_500;

let registered: readonly Registered[] = [];
let begun: { key: string; at: number } | undefined;
const { subscribe, tell } = createListeners();

/**
 * Runs a command when its keys are pressed while the page is shown: not in a field, a dialog or a menu, nor with Ctrl,
 * Alt or Meta. The newest command of the same keys counts.
 */
export function useShortcut(keys: string | undefined, name: string, run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (keys === undefined) return;
    const command = { keys, name, run: () => latest.current() };
    change([...registered, command]);
    return () => change(registered.filter((one) => one !== command));
  }, [keys, name]);
}

/** All commands that work now, for the dialog of keys. */
export function useShortcuts(): readonly KeyCommand[] {
  return useSyncExternalStore(subscribe, () => registered);
}

function change(commands: readonly Registered[]): void {
  registered = commands;
  tell();
}

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken(event.target)) return;
  const before = begun !== undefined && performance.now() - begun.at < PATIENCE_MS ? `${begun.key} ` : '';
  const command = find(before + event.key) ?? find(event.key);
  begun = command === undefined ? { key: event.key, at: performance.now() } : undefined;
  if (command === undefined) return;
  event.preventDefault();
  command.run();
});

function find(keys: string): Registered | undefined {
  return registered.findLast((command) => command.keys === keys);
}

/** What is typed into a field, or while something lies over the page, is meant for that alone. */
function isTaken(target: EventTarget | null): boolean {
  return (
    !(target instanceof Element) ||
    target.closest('input, textarea, select, [contenteditable], [role="menu"], [role="listbox"]') !== null ||
    document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
  );
}
