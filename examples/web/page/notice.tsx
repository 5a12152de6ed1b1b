import type { ReactNode } from "react";
import type { Words } from "./say-error.ts";

interface NoticeProps {
  readonly words: Words;
  readonly children?: ReactNode;
}

/** An error in words. Screen readers tell it at once. */
export const Notice = ({ words: { title, text }, children }: NoticeProps) => (
  <div className="notice" role="alert">
    <strong>{title}</strong>
    <p>{text}</p>
    {children}
  </div>
);
