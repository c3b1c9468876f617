import { useLayoutEffect, useRef } from "react";
import { Button } from "../../../ui/button.tsx";
import { Arrow } from "../../../ui/sign.tsx";

interface MoveButtonsProps {
  name: string;
  move: (up: boolean) => void;
}

/** Moves a row up or down; the focus goes along with it. */
export function MoveButtons({ name, move }: MoveButtonsProps) {
  const box = useRef<HTMLSpanElement>(null);
  const pressed = useRef<"up" | "down" | null>(null);

  // A row that moves in the document loses the focus.
  useLayoutEffect(() => {
    if (pressed.current === null || document.activeElement !== document.body) return;
    box.current?.querySelector<HTMLButtonElement>(`[data-way=${pressed.current}]`)?.focus();
  });

  function press(up: boolean): void {
    pressed.current = up ? "up" : "down";
    move(up);
  }

  return (
    <span ref={box}>
      <Button look="plain" size="small" data-way="up" aria-label={`Move ${name} up`} onClick={() => press(true)}>
        <Arrow to="up" />
      </Button>
      <Button look="plain" size="small" data-way="down" aria-label={`Move ${name} down`} onClick={() => press(false)}>
        <Arrow to="down" />
      </Button>
    </span>
  );
}
