import { useState } from 'react';
import { useShortcut } from '../../app/shortcuts.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { ChoiceField, TextField } from '../../components/text-field.tsx';
import { useAction } from '../../data/use-action.ts';
import styles from './issue-key.module.css';

type Choices = readonly { value: string; name: string }[];
type Role = 'FULL' | 'READ_ONLY';

const ROLES = [
  { value: 'FULL', name: 'everything' },
  { value: 'READ_ONLY', name: 'read only, without personal data' },
];

/** Issues a key and shows it, once. */
export function IssueKey({ organisations }: { organisations: Choices }) {
  const [isOpen, setOpen] = useState(false);
  const [issued, setIssued] = useState<string>();
  useShortcut('n', 'New key', () => setOpen(true));
  return (
    <>
      <Button variant="primary" shortcut="n" onPress={() => setOpen(true)}>
        New key
      </Button>
      {isOpen && <Issue organisations={organisations} onIssued={setIssued} onClose={() => setOpen(false)} />}
      <Dialog title="The key is issued" isOpen={issued !== undefined} onOpenChange={() => setIssued(undefined)}>
        <p>Copy it now: it is shown this once, and kept nowhere.</p>
        <p className={styles.issued}>
          <output aria-label="API key">{issued}</output>
          <CopyButton text={issued ?? ''} name="API key" />
        </p>
      </Dialog>
    </>
  );
}

interface IssueProps {
  organisations: Choices;
  onIssued(key: string): void;
  onClose(): void;
}

function Issue({ organisations, onIssued, onClose }: IssueProps) {
  const [organisation_id, setOrganisation] = useState('');
  const [label, setLabel] = useState('');
  const [person, setPerson] = useState('');
  const [role, setRole] = useState<Role>('FULL');
  const issue = useAction('apiKeys.issue');
  const issueStaff = useAction('apiKeys.issueStaff');
  const isStaff = organisation_id === '';
  const perform = async () => {
    const { api_key } = isStaff
      ? await issueStaff.mutateAsync({ label, role, ...(person.trim() !== '' && { person }) })
      : await issue.mutateAsync({ organisation_id, label });
    onIssued(api_key);
  };
  return (
    <FormDialog title="New key" confirm="Issue" isReady={label.trim() !== ''} perform={perform} onClose={onClose}>
      <ChoiceField
        label="Belongs to"
        value={organisation_id}
        onChange={setOrganisation}
        choices={[{ value: '', name: 'the service team' }, ...organisations]}
      />
      <TextField label="What it is for" value={label} onChange={setLabel} />
      {isStaff && (
        <>
          <TextField
            label="Person"
            value={person}
            onChange={setPerson}
            description="The one person who uses it. The audit, sign-offs and reports show the name; only a key with a person can sign off."
          />
          <ChoiceField
            label="May"
            value={role}
            onChange={(value) => setRole(value as Role)}
            choices={ROLES}
            description="It cannot be changed later."
          />
        </>
      )}
    </FormDialog>
  );
}
