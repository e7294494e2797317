import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useShortcut } from '../../app/shortcuts.ts';
import { Button } from '../../components/button.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { ChoiceField } from '../../components/text-field.tsx';
import { useAction } from '../../data/use-action.ts';
import { SETTINGS } from './setting.ts';
import { SettingField } from './setting-field.tsx';

type Choices = readonly { value: string; name: string }[];

/** What has to be said of a new one; all else has its default, and is set on its page. */
const ASKED = ['code', 'name', 'country'] as const;

interface NewSupplierProps {
  organisations: Choices;
  /** The organisation to which the list is narrowed, which is chosen then. */
  organisation: string | undefined;
}

/** Creates an import supplier of an organisation, and leads to its settings. */
export function NewSupplier(props: NewSupplierProps) {
  const [isOpen, setOpen] = useState(false);
  useShortcut('n', 'New import supplier', () => setOpen(true));
  return (
    <>
      <Button variant="primary" shortcut="n" onPress={() => setOpen(true)}>
        New import supplier
      </Button>
      {isOpen && <Create {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function Create({ organisations, organisation: shown = '', onClose }: NewSupplierProps & { onClose(): void }) {
  const navigate = useNavigate();
  const create = useAction('importSuppliers.create');
  const [organisation, setOrganisation] = useState(shown);
  const [values, setValues] = useState({ code: '', name: '', country: String(SETTINGS.create.country?.default ?? '') });
  const perform = async () => {
    const { code } = await create.mutateAsync({ ...values, organisation_id: organisation });
    await navigate({ to: '/suppliers/$code', params: { code } });
  };
  return (
    <FormDialog
      title="New import supplier"
      confirm="Create"
      isReady={organisation !== '' && values.code !== '' && values.name !== ''}
      perform={perform}
      onClose={onClose}
    >
      <ChoiceField label="Organisation" value={organisation} onChange={setOrganisation} choices={organisations} />
      {ASKED.map((name) => (
        <SettingField
          key={name}
          name={name}
          setting={SETTINGS.create[name] ?? {}}
          value={values[name]}
          onChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
    </FormDialog>
  );
}
