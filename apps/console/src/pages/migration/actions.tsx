import { useState } from 'react';
import { useShortcut } from '../../app/shortcuts.ts';
import { Button } from '../../components/button.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useLive } from '../../data/use-live.ts';
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
  const readiness = useLive(ask('overview.readiness', { code: migration.code }));
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
        <ActionButton
          key={name}
          name={name}
          keys={keys}
          isNext={name === 'Complete' && readiness.data?.ready === true}
          onPress={() => setAsked(name)}
        />
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

interface ActionButtonProps {
  name: string;
  keys: string;
  /** Nothing else is left to do. */
  isNext?: boolean;
  onPress(): void;
}

function ActionButton({ name, keys, isNext = false, onPress }: ActionButtonProps) {
  useShortcut(keys, name, onPress);
  return (
    <Button variant={isNext ? 'primary' : 'plain'} shortcut={keys} onPress={onPress}>
      {name}
    </Button>
  );
}
