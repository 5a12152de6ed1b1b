import { useRef, useState } from "react";
import type { Picture } from "./read-result.ts";

interface PictureViewProps {
  readonly pictures: readonly Picture[];
  readonly subject: string;
}

/** Pictures of a job. A click shows one of them large; Escape or another click closes it. */
export const PictureView = ({ pictures, subject }: PictureViewProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const [large, setLarge] = useState(0);
  const nameOf = (place: number): string => `${subject}, ${place + 1} of ${pictures.length}`;
  const shown = pictures[large];

  return (
    <>
      {pictures.map(({ url, width, height }, place) => (
        <button
          key={url}
          type="button"
          className="picture"
          onClick={() => {
            setLarge(place);
            dialog.current?.showModal();
          }}
        >
          <img src={url} width={width} height={height} alt={nameOf(place)} />
        </button>
      ))}
      <dialog ref={dialog} closedby="any" className="large" aria-label={nameOf(large)}>
        <button type="button" aria-label="Close" onClick={() => dialog.current?.close()}>
          {shown !== undefined && <img src={shown.url} alt="" />}
        </button>
      </dialog>
    </>
  );
};
