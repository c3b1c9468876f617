import { provider } from "content/provider.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Scene } from "../ui/scene.tsx";
import styles from "./error-page.module.css";

/** The page for a missing page (404) or a failure. */
export function ErrorPage({ status }: { status: number }) {
  const missing = status === 404;
  const title = missing ? "Page not found" : "Something went wrong";
  return (
    <main id="main" className={`wrap ${styles.page}`}>
      <title>{`${title} | ${provider.name}`}</title>
      <Scene picture="/images/page-eaten.svg">
        <p className={styles.status}>{status}</p>
        <h1>{title}</h1>
        <p className={styles.text}>
          {missing
            ? "There is no page at this address: it has moved, or the address was mistyped."
            : "The page could not be shown just now. This is our fault, not yours; please try again in a minute."}
        </p>
        <p className={styles.text}>
          Or call us on <a href={provider.phoneHref}>{provider.phone}</a>, {provider.openingHours.text}.
        </p>
        <p className={styles.actions}>
          <ButtonLink href="/">Back to the home page</ButtonLink>
          <a href="/#courses">See all courses</a>
        </p>
      </Scene>
    </main>
  );
}
