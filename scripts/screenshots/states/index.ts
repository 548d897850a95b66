// Every place of the studio, and what a person comes to within it.
import type { PicturedServers } from '../servers.ts';
import { connectionPictures } from './connections.ts';
import { definitionPictures } from './definitions.ts';
import { draftPictures } from './drafts.ts';
import { editingPictures } from './editing.ts';
import { evaluationPictures } from './evaluation.ts';
import { eventPictures } from './events.ts';
import { generalPictures } from './general.ts';
import { graphPictures } from './graph.ts';
import { inboxPictures } from './inbox.ts';
import { modelPictures } from './models.ts';
import type { Picture } from './picture.ts';
import { placePictures } from './places.ts';
import { predictionPictures } from './prediction.ts';
import { runPictures } from './run.ts';
import { runsPictures } from './runs.ts';
import { schedulePictures } from './schedules.ts';
import { signInPictures } from './sign-in.ts';
import { toolPictures } from './tools.ts';

export async function allPictures(servers: PicturedServers): Promise<Picture[]> {
  const { main, hasForecast, shiftNotes } = servers;
  const pictures = [
    ...placePictures(),
    ...generalPictures(),
    ...definitionPictures(),
    ...editingPictures(),
    ...draftPictures(),
    ...graphPictures(),
    ...evaluationPictures(),
    ...schedulePictures(),
    ...(hasForecast ? await predictionPictures(main) : []),
    ...(await runPictures(main)),
    ...runsPictures(),
    ...(await inboxPictures(main)),
    ...eventPictures(),
    ...toolPictures(shiftNotes),
    ...modelPictures(),
    ...(await connectionPictures(main)),
  ];
  return [...pictures.map((picture) => ({ ...picture, address: main })), ...signInPictures(servers)];
}
