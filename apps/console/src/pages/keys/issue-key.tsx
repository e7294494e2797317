import { useState } from 'react';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { NewButton } from '../../components/dialog-button.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { type Choices, namedChoices } from '../../components/options.tsx';
import { ChoiceField, TextField } from '../../components/text-field.tsx';
import { useAction } from '../../data/use-action.ts';
import styles from './issue-key.module.css';
import { mayOf, type Role, STAFF, whoseStaffKey } from './key-words.ts';

const ROLES = namedChoices({ READ_ONLY: mayOf('READ_ONLY'), FULL: mayOf('FULL') });

interface IssueKeyProps {
  /** Whose key it can be. */
  owners: Choices;
  /** The owner to which the list is narrowed, which is chosen then. */
  owner: string | undefined;
}

interface Issued {
  api_key: string;
  /** Whose key it is. */
  whose: string;
  role: Role;
}

/** Issues a key and shows it, once. Neither an owner nor a role is chosen beforehand, unless the page is about one. */
export function IssueKey({ owners, owner }: IssueKeyProps) {
  const [issued, setIssued] = useState<Issued>();
  return (
    <>
      <NewButton label="New key">
        {(close) => <Issue owners={owners} owner={owner} onIssued={setIssued} onClose={close} />}
      </NewButton>
      {issued !== undefined && (
        <Dialog title="The key is issued" onClose={() => setIssued(undefined)}>
          <IssuedKey {...issued} />
        </Dialog>
      )}
    </>
  );
}

function IssuedKey({ api_key, whose, role }: Issued) {
  return (
    <>
      <p>
        It belongs to <strong>{whose}</strong>. It allows: <strong>{mayOf(role)}</strong>.
      </p>
      <p>Copy it now. It is shown only once and is not stored.</p>
      <p className={styles.issued}>
        <output aria-label="API key">{api_key}</output>
        <CopyButton text={api_key} name="API key" />
      </p>
    </>
  );
}

interface IssueProps extends IssueKeyProps {
  onIssued(issued: Issued): void;
  onClose(): void;
}

function Issue({ owners, owner: shown = '', onIssued, onClose }: IssueProps) {
  const [owner, setOwner] = useState(shown);
  const [label, setLabel] = useState('');
  const [person, setPerson] = useState('');
  const [role, setRole] = useState<Role>(null);
  const issue = useAction('apiKeys.issue');
  const issueStaff = useAction('apiKeys.issueStaff');
  const isStaff = owner === STAFF;
  const isOwner = owners.some(({ value }) => value === owner);
  const isReady = isOwner && label.trim() !== '' && (!isStaff || (person.trim() !== '' && role !== null));
  const perform = async () => {
    if (isStaff && role !== null) {
      const { api_key } = await issueStaff.mutateAsync({ label, role, person });
      onIssued({ api_key, whose: whoseStaffKey(person.trim()), role });
    } else {
      const { api_key } = await issue.mutateAsync({ organisation_id: owner, label });
      onIssued({ api_key, whose: owners.find(({ value }) => value === owner)?.name ?? owner, role: null });
    }
  };
  return (
    <FormDialog title="New key" confirm="Issue" isReady={isReady} perform={perform} onClose={onClose}>
      <ChoiceField label="Belongs to" value={owner} onChange={setOwner} choices={owners} />
      <TextField label="What it is for" value={label} onChange={setLabel} />
      {isStaff && (
        <>
          <TextField
            label="Person"
            value={person}
            onChange={setPerson}
            description="The one person who uses it. The audit, sign-offs and reports show this name."
          />
          <ChoiceField
            label="May"
            value={role ?? ''}
            onChange={(value) => setRole(value as Role)}
            choices={ROLES}
            description="It cannot be changed later."
          />
        </>
      )}
    </FormDialog>
  );
}
