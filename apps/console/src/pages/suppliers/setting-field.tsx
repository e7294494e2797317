import { Sentence } from '../../components/sentence.tsx';
import { ChoiceField, TextField } from '../../components/text-field.tsx';
import { flat, labelOf, type Setting } from './setting.ts';

interface SettingFieldProps {
  name: string;
  setting: Setting;
  value: string;
  onChange(value: string): void;
}

const YES_OR_NO = [
  { value: 'true', name: 'yes' },
  { value: 'false', name: 'no' },
];

/** The field of one setting, with the limits and the sentence of the contracts. */
export function SettingField({ name, setting, value, onChange }: SettingFieldProps) {
  const { type, enum: values, minimum, maximum, maxLength, description = '', isNullable } = flat(setting);
  const shared = { label: labelOf(name), description: <Sentence>{description}</Sentence>, value, onChange };
  if (type === 'boolean') return <ChoiceField {...shared} choices={YES_OR_NO} />;
  if (values !== undefined) {
    return <ChoiceField {...shared} choices={values.map((one) => ({ value: one, name: one }))} />;
  }
  if (type === 'integer') {
    return <TextField {...shared} type="number" min={minimum} max={maximum} isRequired={!isNullable} />;
  }
  return <TextField {...shared} maxLength={maxLength} />;
}
