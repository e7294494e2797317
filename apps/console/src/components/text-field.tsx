import { type HTMLInputTypeAttribute, type ReactNode, useId } from 'react';
import styles from './text-field.module.css';

interface TextFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
  /** What it means, below it. */
  description?: ReactNode;
  /** What the service has against the value. */
  error?: string | undefined;
  type?: HTMLInputTypeAttribute;
  isRequired?: boolean;
  maxLength?: number | undefined;
  min?: number | undefined;
  max?: number | undefined;
  isDisabled?: boolean;
}

/** A field with its name above it and its meaning below. */
export function TextField(props: TextFieldProps) {
  const { label, value, onChange, description, error, isRequired, isDisabled, ...rest } = props;
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...rest}
        id={id}
        value={value}
        autoComplete="off"
        required={isRequired}
        disabled={isDisabled}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, description, error)}
        onChange={(event) => onChange(event.target.value)}
      />
      <Fault id={id} of={error} />
      <Meaning id={id} of={description} />
    </div>
  );
}

type TextAreaProps = Pick<TextFieldProps, 'label' | 'value' | 'onChange' | 'error' | 'maxLength' | 'isDisabled'> & {
  rows: number;
};

/** A text of several lines, as a program reads it. */
export function TextArea({ label, value, onChange, error, isDisabled, ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        {...rest}
        id={id}
        className={styles.area}
        value={value}
        disabled={isDisabled}
        spellCheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, undefined, error)}
        onChange={(event) => onChange(event.target.value)}
      />
      <Fault id={id} of={error} />
    </div>
  );
}

function describedBy(id: string, description: ReactNode, error: string | undefined): string | undefined {
  const ids = [
    ...(error === undefined ? [] : [`${id}-fault`]),
    ...(description === undefined ? [] : [`${id}-meaning`]),
  ];
  return ids.length === 0 ? undefined : ids.join(' ');
}

interface ChoiceFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
  choices: readonly { value: string; name: string }[];
  description?: ReactNode;
  isDisabled?: boolean;
}

/** One of several values. A value that is no choice, or none yet, means that nothing is chosen, and says so. */
export function ChoiceField({ label, value, onChange, choices, description, isDisabled }: ChoiceFieldProps) {
  const id = useId();
  const isChosen = choices.some((choice) => choice.value === value);
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={isChosen ? value : ''}
        disabled={isDisabled}
        aria-describedby={description === undefined ? undefined : `${id}-meaning`}
        onChange={(event) => onChange(event.target.value)}
      >
        {!isChosen && (
          <option value="" disabled>
            Choose …
          </option>
        )}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </select>
      <Meaning id={id} of={description} />
    </div>
  );
}

function Fault({ id, of: error }: { id: string; of: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p id={`${id}-fault`} role="alert" className={styles.fault}>
      {error}
    </p>
  );
}

function Meaning({ id, of: meaning }: { id: string; of: ReactNode }) {
  if (meaning === undefined) return null;
  return (
    <p id={`${id}-meaning`} className={styles.meaning}>
      {meaning}
    </p>
  );
}
