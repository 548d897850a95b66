import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import './app/base.css';
import './ui/elements.css';
import './ui/page.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { UnreachableError } from './api/problem-error.ts';
import { router } from './app/routes.tsx';
import { cssVariables, theme } from './app/theme.ts';
import { SignInGate } from './sign-in/sign-in-gate.tsx';

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // Events keep the open page up to date.
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => error instanceof UnreachableError && count < 3,
      // The service may run on this machine, which needs no network.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no element with the id "root".');
createRoot(root).render(
  <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
    <QueryClientProvider client={client}>
      <SignInGate>
        <RouterProvider router={router} />
      </SignInGate>
    </QueryClientProvider>
  </MantineProvider>,
);
