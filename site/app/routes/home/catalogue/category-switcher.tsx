import { categories } from "content/categories.ts";
import type { CategoryId } from "content/types.ts";
import { useEffect, useEffectEvent, useRef } from "react";
import styles from "./category-switcher.module.css";

interface CategorySwitcherProps {
  /** The name of the URL parameter. */
  name: string;
  chosen: CategoryId;
  onChoose: (id: CategoryId) => void;
}

/** Buttons on a wide screen, a select on a small one; both are forms that work without a script. */
export function CategorySwitcher({ name, chosen, onChoose }: CategorySwitcherProps) {
  const select = useRef<HTMLSelectElement>(null);

  function chooseSelected(): void {
    const id = categories.find((category) => category.id === select.current?.value)?.id;
    if (id) onChoose(id);
  }

  // A choice before hydration has no event, and hydration keeps it.
  const chooseEarly = useEffectEvent(chooseSelected);
  useEffect(() => chooseEarly(), []);

  return (
    <>
      <form method="get" action="/#courses">
        <fieldset className={styles.buttons}>
          <legend className="visually-hidden">Course category</legend>
          {categories.map(({ id, label, colour }) => (
            <button
              key={id}
              name={name}
              value={id}
              className={styles.button}
              data-colour={colour}
              aria-pressed={id === chosen}
              onClick={(event) => {
                event.preventDefault();
                onChoose(id);
              }}
            >
              {label}
            </button>
          ))}
        </fieldset>
      </form>
      <form method="get" action="/#courses" className={styles.small}>
        <label htmlFor="category-select">Select course category</label>
        <div className={styles.choice}>
          <select ref={select} id="category-select" name={name} value={chosen} onChange={chooseSelected}>
            {categories.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
          <button className={styles.show}>Show</button>
        </div>
      </form>
    </>
  );
}
