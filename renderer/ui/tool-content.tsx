import { toolImages, toolTexts } from './tool-images.ts';
import './tool-content.css';

/** The text of a tool's result, with its line breaks. */
export function ToolText({ text, label }: { text: string; label: string }) {
  return (
    <pre className="code tool-text" tabIndex={0} aria-label={label}>
      {text === '' ? '(empty)' : text}
    </pre>
  );
}

/** The images of an MCP server's result. */
export function ToolImages({ result }: { result: unknown }) {
  return toolImages(result).map(({ mediaType, url, bytes }, index) => (
    <img
      // The order of images never changes, and they have no ids.
      key={index}
      src={url}
      className="tool-image"
      alt={`Image ${index + 1} of the result: ${mediaType}, ${bytes.toLocaleString()} bytes`}
    />
  ));
}

/** The images and texts of an MCP server's result. */
export function ToolContent({ result }: { result: unknown }) {
  return (
    <>
      <ToolImages result={result} />
      {toolTexts(result).map((text, index) => (
        <ToolText key={index} text={text} label={`Text ${index + 1} of the result`} />
      ))}
    </>
  );
}
