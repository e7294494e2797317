import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useAction } from '../../data/use-action.ts';
import { whomOf } from '../../format/email-words.ts';
import type { Email } from './ask-emails.ts';

/** Whether it has ended, and there is an address; the service knows whether that may get one now. */
export function canBeSentAgain({ state, reason }: Email): boolean {
  return state === 'NOT_SENT' ? reason === 'SUPPRESSED' : state !== 'QUEUED' && state !== 'SENDING';
}

/** Sends an e-mail again, once it is clear what the customer has already. */
export function SendAgain({ email }: { email: Email }) {
  const [isOpen, setOpen] = useState(false);
  const sendAgain = useAction('customerEmails.sendAgain');
  const whom = whomOf(email.recipient);
  const number = email.external_account_number;
  return (
    <>
      <Button variant="small" aria-label={`Send again: ${number}, ${whom}`} onPress={() => setOpen(true)}>
        Send again
      </Button>
      <ConfirmDialog
        title={`Send the e-mail about ${number} again`}
        confirm="Send again"
        isOpen={isOpen}
        onOpenChange={setOpen}
        perform={() => sendAgain.mutateAsync({ id: email.id })}
      >
        <p>It goes to {whom}.</p>
        <Consequence of={email} />
      </ConfirmDialog>
    </>
  );
}

function Consequence({ of: { state, id } }: { of: Email }) {
  if (state === 'SENT') return <p>The mail server took it already: they will have it twice.</p>;
  if (state === 'REFUSED')
    return <p>The mail server may refuse it again, unless what it complained of was put right.</p>;
  if (state === 'NOT_SENT') return <p>Its address has to be taken off the suppression list first.</p>;
  if (state !== 'IN_DOUBT') return <p>It is tried from the beginning, for two days at most.</p>;
  return (
    <p>
      The customer may have it already. The log of the mail server says so if it took a message whose Message-ID begins
      with <code>{id}</code>.
    </p>
  );
}
