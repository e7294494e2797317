import styles from './shortcut.module.css';

/** The keys of a command, as they stand on a keyboard: `g o`. A screen reader knows them from the command itself. */
export function Shortcut({ keys }: { keys: string }) {
  return (
    <span aria-hidden="true" className={styles.keys}>
      {keys.split(' ').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
