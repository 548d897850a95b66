// The pages that an address alone leads to.
import { PLACES } from '../../../renderer/app/places.ts';
import { DEFINITION_TYPES } from '../../../shared/definition-types.ts';
import { EMPTY_PLAYBOOK, PLAYBOOK } from '../make-history.ts';
import { AT_DESK, type MainPicture, SAMPLE } from './picture.ts';

export function placePictures(): MainPicture[] {
  return [
    { name: 'playbooks', path: '/' },
    ...PLACES.map(({ title, to }) => ({
      name: title.toLowerCase().replaceAll(' ', '-'),
      path: to.replace('$playbook', PLAYBOOK),
    })),
    { name: 'home-tokens', path: `${SAMPLE}?show=tokens&days=30` },
    { name: 'home-duration', path: `${SAMPLE}?show=duration&days=30` },
    { name: 'home-workflows', path: `${SAMPLE}?type=workflow&days=90` },
    { name: 'home-desk', path: AT_DESK },
    { name: 'not-found', path: '/nowhere' },
    { name: 'playbook-not-found', path: '/playbooks/nowhere' },
    { name: 'definition-not-found', path: `${SAMPLE}/definitions/computation/nowhere` },
    { name: 'definition-type-unknown', path: `${SAMPLE}/definitions/poem/nowhere` },
    { name: 'run-not-found', path: `${SAMPLE}/runs/00000000-0000-7000-8000-000000000000` },
    { name: 'request-not-found', path: `${SAMPLE}/inbox/00000000-0000-7000-8000-000000000000` },
    { name: 'tool-not-found', path: `${SAMPLE}/tools/files/nowhere` },
    { name: 'gallery', path: `${SAMPLE}/definitions/new` },
    ...DEFINITION_TYPES.map((type) => ({
      name: type === 'computation' ? 'new-definition' : `new-${type}`,
      path: `${AT_DESK}/definitions/new?type=${type}`,
    })),
    { name: 'agents-other', path: `${SAMPLE}/agents?client=other` },
    { name: 'agents-cursor', path: `${SAMPLE}/agents?client=cursor` },
    { name: 'agents-claude-code', path: `${SAMPLE}/agents?client=claude-code` },
    { name: 'agents-read-only', path: `${SAMPLE}/agents?scope=playbook&read=true` },
    ...['', '/definitions', '/runs', '/inbox', '/events', '/connections'].map((place) => ({
      name: `empty${place.replace('/', '-')}`,
      path: `/playbooks/${EMPTY_PLAYBOOK}${place}`,
    })),
  ];
}
