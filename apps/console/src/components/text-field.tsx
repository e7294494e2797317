import { type HTMLInputTypeAttribute, type ReactNode, useId } from 'react';
import { type Choices, Options } from './options.tsx';
import text from './text.module.css';
import styles from './text-field.module.css';

interface LabelledProps {
  label: string;
  /** What it means, below it. */
  description?: ReactNode;
  /** What the service has against the value. */
  error?: string | undefined;
}

interface FieldProps extends LabelledProps {
  /** The control, with what connects it to its name and to what is said of it. */
  children(connected: { id: string; 'aria-describedby': string | undefined }): ReactNode;
}

/** A control with its name above it and its meaning below. */
function Field({ label, description, error, children }: FieldProps) {
  const id = useId();
  const [fault, meaning] = [`${id}-fault`, `${id}-meaning`];
  const described = [error !== undefined && fault, description !== undefined && meaning].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': described || undefined })}
      {error !== undefined && (
        <p id={fault} role="alert" className={styles.fault}>
          {error}
        </p>
      )}
      {description !== undefined && (
        <p id={meaning} className={`${text.faint} ${styles.meaning}`}>
          {description}
        </p>
      )}
    </div>
  );
}

interface ValueProps extends LabelledProps {
  value: string;
  onChange(value: string): void;
  isDisabled?: boolean;
}

interface TextFieldProps extends ValueProps {
  type?: HTMLInputTypeAttribute;
  isRequired?: boolean;
  maxLength?: number | undefined;
  min?: number | undefined;
  max?: number | undefined;
}

/** A line of text, or a number. */
export function TextField(props: TextFieldProps) {
  const { label, value, onChange, description, error, isRequired, isDisabled, ...rest } = props;
  return (
    <Field label={label} description={description} error={error}>
      {(connected) => (
        <input
          {...rest}
          {...connected}
          value={value}
          autoComplete="off"
          required={isRequired}
          disabled={isDisabled}
          aria-invalid={error !== undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

type TextAreaProps = ValueProps & { rows: number; maxLength?: number };

/** A text of several lines, as a program reads it. */
export function TextArea({ label, value, onChange, error, isDisabled, ...rest }: TextAreaProps) {
  return (
    <Field label={label} error={error}>
      {(connected) => (
        <textarea
          {...rest}
          {...connected}
          className={styles.area}
          value={value}
          disabled={isDisabled}
          spellCheck={false}
          aria-invalid={error !== undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** One of several values. A value that is no choice, or none yet, means that nothing is chosen, and says so. */
export function ChoiceField({ label, value, onChange, choices, description }: ValueProps & { choices: Choices }) {
  const isChosen = choices.some((choice) => choice.value === value);
  return (
    <Field label={label} description={description}>
      {(connected) => (
        <select {...connected} value={isChosen ? value : ''} onChange={(event) => onChange(event.target.value)}>
          {!isChosen && (
            <option value="" disabled>
              Choose …
            </option>
          )}
          <Options of={choices} />
        </select>
      )}
    </Field>
  );
}
