import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState, type ClipboardEvent, type DragEvent, type RefObject } from "react";
import { storedAddress } from "../../../pictures/stored-pictures.ts";
import { pastedPictures, type ChosenImage } from "./picture-choice.ts";
import { insertion } from "./insert-picture.ts";
import { imageMarkdown } from "./picture-name.ts";
import { applyChange } from "../editor/apply-change.client.ts";

// Nobody waits for it before they want a picture.
const ImageDialog = lazy(() => import("./picture-dialog.tsx"));

/** The pictures of an editor. */
export interface PostImagesState {
  open: boolean;
  given: readonly File[];
  show(): void;
  hide(): void;
  /** What the editor's text area listens to. */
  textAreaProps: {
    onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => void;
    onDragOver: (event: DragEvent<HTMLTextAreaElement>) => void;
    onDrop: (event: DragEvent<HTMLTextAreaElement>) => void;
  };
}

/** Keeps whether the pictures are shown, and takes those that are pasted or dropped onto the text. */
export function usePostImages(): PostImagesState {
  const [open, setOpen] = useState(false);
  const [given, setGiven] = useState<readonly File[]>([]);

  function take(event: { preventDefault: () => void }, files: readonly File[]): void {
    if (files.length === 0) return;
    event.preventDefault();
    setGiven(files);
    setOpen(true);
  }

  return {
    open,
    given,
    show: () => setOpen(true),
    hide: () => setOpen(false),
    textAreaProps: {
      onPaste: (event) => take(event, pastedPictures(event.clipboardData)),
      onDragOver(event) {
        if (event.dataTransfer.types.includes("Files")) event.preventDefault();
      },
      // Whatever it is: the browser would leave the page for it.
      onDrop: (event) => take(event, [...event.dataTransfer.files]),
    },
  };
}

interface PostImagesProps {
  images: PostImagesState;
  textArea: RefObject<HTMLTextAreaElement | null>;
  /** Takes the address of the picture at the head of the post. */
  onHead: (address: string) => void;
}

/** Adds pictures and chooses among those there are; a chosen one goes where the cursor of the text is, or to the head of the post. */
export function PostImages({ images, textArea, onHead }: PostImagesProps) {
  const { open, given, hide } = images;
  const [wanted, setWanted] = useState(false);
  const chosen = useRef<ChosenImage | null>(null);
  if (open && !wanted) setWanted(true);

  // Not before the dialog has closed, which keeps the rest of the page from being written to.
  const place = useEffectEvent((image: ChosenImage) => {
    const address = storedAddress(image.name);
    const area = textArea.current;
    if (image.place === "head") onHead(address);
    else if (area) applyChange(area, insertion(area.value, area.selectionStart, area.selectionEnd, imageMarkdown(image.alt, address)));
  });
  useEffect(() => {
    const image = chosen.current;
    if (open || !image) return;
    chosen.current = null;
    place(image);
  }, [open]);

  if (!wanted) return null;
  return (
    <Suspense fallback={<p role="status">Loading...</p>}>
      <ImageDialog
        open={open}
        given={given}
        onClose={hide}
        onChosen={(image) => {
          chosen.current = image;
          hide();
        }}
      />
    </Suspense>
  );
}
