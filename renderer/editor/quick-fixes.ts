// Offers the name that a message suggests as a quick fix.
import { nameAt, placeOf, suggestedName, wrongName } from './suggested-name.ts';
import { monaco } from './monaco.ts';

const LANGUAGES = ['markdown', 'typescript', 'yaml'];

/** Registers the quick fixes for every editor. Call it once. */
export function offerQuickFixes(): void {
  monaco.languages.registerCodeActionProvider(LANGUAGES, {
    provideCodeActions(model, _range, { markers }) {
      const actions = markers.flatMap((marker) => actionFor(model, marker));
      return { actions, dispose() {} };
    },
  });
}

function actionFor(model: monaco.editor.ITextModel, marker: monaco.editor.IMarkerData): monaco.languages.CodeAction[] {
  const meant = suggestedName(marker.message);
  if (meant === undefined) return [];
  const { startLineNumber: line, startColumn } = marker;
  const [wrong, text] = [wrongName(marker.message), model.getLineContent(line)];
  // An issue is often about a name within the value where it stands, or about the key of that value.
  const written = wrong === undefined ? nameAt(text, startColumn) : placeOf(wrong, text, startColumn);
  if (written === undefined || written.text === meant) return [];
  const range = new monaco.Range(line, written.startColumn, line, written.startColumn + written.text.length);
  return [
    {
      title: `Change to ${meant}`,
      kind: 'quickfix',
      diagnostics: [marker],
      isPreferred: true,
      edit: { edits: [{ resource: model.uri, versionId: model.getVersionId(), textEdit: { range, text: meant } }] },
    },
  ];
}
