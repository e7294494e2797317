import { useMutation } from '@tanstack/react-query';
import { saveFile } from '../data/save-file.ts';
import { Button } from './button.tsx';
import { Refusal } from './refusal.tsx';
import styles from './save-button.module.css';

interface SaveButtonProps {
  children: string;
  path: string;
  /** Under which it is saved. */
  name: string;
  accept?: string;
}

/** Downloads a file of the service; a refusal stands beside it. */
export function SaveButton({ children, path, name, accept }: SaveButtonProps) {
  const save = useMutation({ mutationFn: () => saveFile({ path, name, ...(accept !== undefined && { accept }) }) });
  return (
    <div className={styles.place}>
      <Button isPending={save.isPending} onPress={() => save.mutate()}>
        {save.isPending ? `${children} ..` : children}
      </Button>
      <Refusal of={save.error} />
    </div>
  );
}
