// First of all: the others may ask for the language.
import './app/plain-language.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { router } from './app/router.ts';
import { queryClient } from './data/client.ts';
import { logInByLink } from './session/log-in-by-link.ts';
import { onSessionChange } from './session/session.ts';
import './styles/tokens.css';
import './styles/page.css';

await logInByLink();
onSessionChange(() => {
  queryClient.clear();
  void router.invalidate();
});
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    {/* Fixed: React Aria throws at what some browsers call themselves, such as en-US@posix. */}
    <I18nProvider locale="en-GB">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);
