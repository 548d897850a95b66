import { type ReactNode, useEffect, useRef, useState } from 'react';

export interface WhenSeenProps {
  /** The height of its area in pixels, until it is seen. */
  height: number;
  className?: string;
  children: ReactNode;
}

/** Renders its children, and so loads them, once their area is scrolled into view. */
export function WhenSeen({ height, className, children }: WhenSeenProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (place.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return isSeen ? children : <div ref={place} className={className} style={{ minHeight: height }} />;
}
