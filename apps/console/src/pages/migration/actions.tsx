import { useState } from 'react';
import { useShortcut } from '../../app/shortcuts.ts';
import { Button } from '../../components/button.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { ReconcileDialog } from './reconcile-dialog.tsx';
import { RunDialog } from './run-dialog.tsx';
import { type StatusChange, statusChanges } from './status-changes.ts';
import { StatusDialog } from './status-dialog.tsx';

type Migration = OutputOf<'overview.migrations'>[number];
type Action = 'process' | 'rehearse' | 'reconcile' | StatusChange['name'];

/** What can be done with a migration now. Each asks before it does anything, and says why it was refused. */
export function Actions({ migration }: { migration: Migration }) {
  const [asked, setAsked] = useState<Action>();
  const changes = statusChanges(migration.status);
  const isMoving = migration.status === 'ONGOING';
  const dialog = (name: Action) => ({
    migration,
    isOpen: asked === name,
    onOpenChange: (isOpen: boolean) => setAsked(isOpen ? name : undefined),
  });
  return (
    <>
      {isMoving && (
        <>
          <ActionButton name="Process" keys="b" onPress={() => setAsked('process')} />
          <ActionButton name="Rehearse" keys="r" onPress={() => setAsked('rehearse')} />
        </>
      )}
      <ActionButton name="Reconcile" keys="c" onPress={() => setAsked('reconcile')} />
      {changes.map(({ name, keys }) => (
        <ActionButton key={name} name={name} keys={keys} onPress={() => setAsked(name)} />
      ))}
      <RunDialog {...dialog('process')} mode="REAL" />
      <RunDialog {...dialog('rehearse')} mode="REHEARSAL" />
      <ReconcileDialog {...dialog('reconcile')} />
      {changes.map((change) => (
        <StatusDialog key={change.name} {...dialog(change.name)} change={change} />
      ))}
    </>
  );
}

function ActionButton({ name, keys, onPress }: { name: string; keys: string; onPress(): void }) {
  useShortcut(keys, name, onPress);
  return (
    <Button shortcut={keys} onPress={onPress}>
      {name}
    </Button>
  );
}
