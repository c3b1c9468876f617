import { href } from "react-router";
import { Button } from "../../ui/button.tsx";
import styles from "./blog.module.css";

export const LONGEST_SEARCH = 100;

/** The search of the blog; a plain form, so that it works without scripts. */
export function SearchForm({ text }: { text: string }) {
  return (
    <search className={styles.search}>
      <form action={href("/blog-search")}>
        <label htmlFor="search">Search the blog</label>
        <div>
          <input id="search" type="search" name="for" defaultValue={text} maxLength={LONGEST_SEARCH} required />
          <Button type="submit" look="plain">
            Search
          </Button>
        </div>
      </form>
    </search>
  );
}
