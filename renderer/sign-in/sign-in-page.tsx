import './sign-in.css';
import { Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import icon from '../ui/icon.svg';
import { SignInChoices } from './sign-in-choices.tsx';
import { OtherWindow } from '../api/session/way.ts';

/** The only page for a person who is not signed in. @param error why the last sign-in failed, or a kept key is refused */
export function SignInPage({ error }: { error?: unknown }) {
  useDocumentTitle('Sign in · Cuebook');
  const page = useRef<HTMLElement>(null);
  useEffect(() => page.current?.querySelector<HTMLElement>('button[data-autofocus], input')?.focus(), []);
  return (
    <main className="sign-in" ref={page}>
      <div className="sign-in-card">
        <div className="sign-in-head">
          <img src={icon} width={40} height={40} alt="" />
          <div>
            <Text fw={700} fz={18} lts="-0.01em">
              Cuebook
            </Text>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {location.host}
            </Text>
          </div>
        </div>
        <Title order={1} fz="lg" my="md">
          Sign in
        </Title>
        {error instanceof OtherWindow ? (
          <Text size="sm">Return to the window in which you clicked Sign in. You can close this one.</Text>
        ) : (
          <SignInChoices error={error} />
        )}
      </div>
    </main>
  );
}
