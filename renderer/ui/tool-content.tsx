import { toolImages, toolTexts } from './tool-images.ts';

/** The text of a tool, line by line. */
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
      // Images are never moved, and have no other name than their place.
      key={index}
      src={url}
      className="tool-image"
      alt={`Image ${index + 1} of the result: ${mediaType}, ${bytes.toLocaleString()} bytes`}
    />
  ));
}

/** What a person reads of an MCP server's result: its images and its texts. */
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
