import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '../components/button.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { refusalText } from '../data/refusal-text.ts';

/** In place of a page that could not be shown: never a blank one. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  return (
    <>
      <PageHeader title="This page could not be shown" question={refusalText(error).sentence} />
      <Button onPress={reset}>Try again</Button>
    </>
  );
}
