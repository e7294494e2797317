import { useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { Shortcut } from '../components/shortcut.tsx';
import text from '../components/text.module.css';
import styles from './keys-dialog.module.css';
import { useShortcut, useShortcuts } from './shortcuts.ts';

/** `?`: every key that works on this page. */
export function KeysDialog() {
  const [isOpen, setOpen] = useState(false);
  const commands = useShortcuts();
  useShortcut('?', 'Show these keys', () => setOpen(true));
  if (!isOpen) return null;
  return (
    <Dialog title="Keys" onClose={() => setOpen(false)}>
      <dl className={styles.keys}>
        {commands.map(({ keys, name }) => (
          <div key={`${keys} ${name}`}>
            <dt>
              <Shortcut keys={keys} />
              <span className={text.spoken}>{keys}</span>
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
