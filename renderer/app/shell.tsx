import './shell.css';
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
import { notificationsStore } from '@mantine/notifications';
import { Link, Outlet, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { Keyboard, Menu, Moon, Search, Sun, X } from 'lucide-react';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import icon from '../icon.svg';
import { bufferKeys } from './buffer-keys.ts';
import { HowToStart } from '../ui/how-to-start.tsx';
import { useKeys } from '../ui/keyboard.ts';
import { useCutTitles } from '../ui/use-cut-titles.ts';
import { useIsNarrow } from '../ui/use-narrow.ts';
import { LiveProvider, useIsLost } from './live.tsx';
import { PLACES } from './places.ts';
import { NavBadge } from './nav-badge.tsx';

// What opens above the page is no part of the first load.
const KeyHelp = lazy(async () => ({ default: (await import('./key-help.tsx')).KeyHelp }));
const Notices = lazy(async () => ({ default: (await import('./notices.tsx')).Notices }));
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
  const menuButton = useRef<HTMLButtonElement>(null);
  const [isMenuOpen, setMenuOpen] = useMenu(menuButton);
  const search = (): void => {
    // The palette may still have to be loaded: what is typed meanwhile is for it.
    if (document.getElementById(PALETTE_FIELD) === null) bufferKeys(PALETTE_FIELD);
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
  useCutTitles();
  useHotkeys([['mod+K', search]], [], true);

  return (
    <LiveProvider playbook={playbook}>
      <div className="shell" data-menu={isMenuOpen || undefined}>
        <nav className="side" aria-label="Places">
          <div className="side-head">
            <ActionIcon
              ref={menuButton}
              className="side-narrow"
              variant="subtle"
              color="gray"
              size="lg"
              aria-expanded={isMenuOpen}
              aria-controls="menu"
              aria-label="Menu"
              onClick={() => setMenuOpen(!isMenuOpen)}
            >
              {isMenuOpen ? <X size={20} /> : <Menu size={20} />}
            </ActionIcon>
            <Link to="/" className="plain side-name" aria-label="Cuebook: all playbooks">
              <img src={icon} width={24} height={24} alt="" />
              <Text fw={700} fz={16} lts="-0.01em">
                Cuebook
              </Text>
            </Link>
            <ActionIcon
              className="side-narrow"
              variant="subtle"
              color="gray"
              size="lg"
              aria-label="Search"
              onClick={search}
            >
              <Search size={19} />
            </ActionIcon>
          </div>
          <div className="side-menu" id="menu">
            <div className="side-places">
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
                    <NavBadge to={to} playbook={playbook} />
                  </Link>
                ))}
            </div>
            <div className="side-foot">
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
            </div>
          </div>
          <div className="side-notices">
            <NoticesOnceShown />
          </div>
        </nav>
        <main className="main" inert={isMenuOpen}>
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

/** What draws short messages is loaded with the first of them. */
function NoticesOnceShown() {
  const [isAsked, setAsked] = useState(false);
  useEffect(() => notificationsStore.subscribe(() => setAsked(true)), []);
  return <Suspense>{isAsked && <Notices />}</Suspense>;
}

/** The menu of a narrow page. It closes when a page is opened from it; Escape closes it and returns the focus to `button`. */
function useMenu(button: RefObject<HTMLElement | null>) {
  const [isOpen, setOpen] = useState(false);
  const isNarrow = useIsNarrow();
  // A page that became wide shows no menu, and must not stay inert behind it.
  if (isOpen && !isNarrow) setOpen(false);
  const router = useRouter();
  useEffect(() => router.subscribe('onBeforeNavigate', () => setOpen(false)), [router]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useHotkeys(isOpen ? [['Escape', close]] : []);
  return [isOpen, setOpen] as const;
}

function LostBanner() {
  const isLost = useIsLost();
  return (
    <div role="status">
      {isLost && (
        <div className="lost">
          <strong>Connection lost. Reconnecting…</strong> What you wrote is kept. If the service was stopped,{' '}
          <HowToStart />
        </div>
      )}
    </div>
  );
}
