import {
  ActionIcon,
  Group,
  Kbd,
  Skeleton,
  Text,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { Keyboard, Moon, Search, Sun } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import icon from '../icon.svg';
import { holdKeys } from './hold-keys.ts';
import { HowToStart } from '../ui/how-to-start.tsx';
import { LiveProvider, useIsLost } from './live.tsx';
import { PLACES } from './places.ts';
import { Sign } from './sign.tsx';
import { useKeys } from './use-keys.ts';

// What opens above the page is no part of the first load.
const KeyHelp = lazy(async () => ({ default: (await import('./key-help.tsx')).KeyHelp }));
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const PlaybookMenu = lazy(async () => ({ default: (await import('./playbook-menu.tsx')).PlaybookMenu }));

const PALETTE_FIELD = 'palette';

export function Shell() {
  const { playbook } = useParams({ strict: false });
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const [isHelping, setHelping] = useState(false);
  const [asked, setAsked] = useState(0);
  const search = (): void => {
    // The palette may still have to be loaded: what is typed meanwhile is for it.
    if (document.getElementById(PALETTE_FIELD) === null) holdKeys(PALETTE_FIELD);
    setAsked((times) => times + 1);
  };
  const turn = (): void => setColorScheme(scheme === 'dark' ? 'light' : 'dark');

  const goes = PLACES.map(({ key, to }) => [
    `g ${key}`,
    () => {
      if (playbook !== undefined) void navigate({ to, params: { playbook } });
    },
  ]);
  useKeys({ ...(Object.fromEntries(goes) as Record<string, () => void>), '?': () => setHelping(true), t: turn });
  useHotkeys([['mod+K', search]], [], true);

  return (
    <LiveProvider playbook={playbook}>
      <div className="shell">
        <nav className="side" aria-label="Places">
          <Link to="/" className="plain" aria-label="Cuebook: all playbooks">
            <Group gap={10} px={10} pb={10}>
              <img src={icon} width={24} height={24} alt="" />
              <Text fw={700} fz={16} lts="-0.01em">
                Cuebook
              </Text>
            </Group>
          </Link>
          <Suspense fallback={<Skeleton height={34} mb={8} />}>
            <PlaybookMenu playbook={playbook} />
          </Suspense>
          {playbook !== undefined &&
            PLACES.map(({ title, icon: Icon, to }) => (
              <Link
                key={to}
                to={to}
                params={{ playbook }}
                className="side-link"
                activeOptions={{ exact: to === '/playbooks/$playbook', includeSearch: false }}
              >
                <Icon size={17} aria-hidden />
                {title}
                <Sign to={to} playbook={playbook} />
              </Link>
            ))}
          <div style={{ flex: 1 }} />
          <UnstyledButton className="side-link" onClick={search}>
            <Search size={17} aria-hidden />
            <span style={{ flex: 1 }}>Search</span>
            <Kbd size="xs">Ctrl K</Kbd>
          </UnstyledButton>
          <Group gap={4} px={6} pt={4}>
            <ActionIcon
              variant="subtle"
              color="gray"
              onClick={turn}
              title={scheme === 'dark' ? 'Light' : 'Dark'}
              aria-label={scheme === 'dark' ? 'Show everything light' : 'Show everything dark'}
            >
              {scheme === 'dark' ? <Sun size={17} /> : <Moon size={17} />}
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              onClick={() => setHelping(true)}
              title="Keys"
              aria-label="Show the keys"
            >
              <Keyboard size={17} />
            </ActionIcon>
          </Group>
        </nav>
        <main className="main">
          <LostBanner />
          <Outlet />
        </main>
      </div>
      <Suspense>
        {asked > 0 && <Palette playbook={playbook} asked={asked} fieldId={PALETTE_FIELD} />}
        {isHelping && <KeyHelp onClose={() => setHelping(false)} />}
      </Suspense>
    </LiveProvider>
  );
}

function LostBanner() {
  const isLost = useIsLost();
  return (
    <div role="status">
      {isLost && (
        <div className="lost">
          <strong>The service does not answer.</strong> What you wrote is kept. The studio goes on by itself as soon as
          it answers again; <HowToStart />
        </div>
      )}
    </div>
  );
}
