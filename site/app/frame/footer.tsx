import { provider } from "content/provider.ts";
import { samples } from "content/samples.ts";
import { href } from "react-router";
import type { CourseLinks } from "../document/document.ts";
import { ContactBlock } from "./contact-block.tsx";
import { VisitSwitch } from "../visits/visit-switch.tsx";
import styles from "./footer.module.css";

const and = new Intl.ListFormat("en-GB", { type: "conjunction" });

const siteLinks = [
  { link: href("/courses"), title: "All courses" },
  { link: href("/dates"), title: "All dates" },
  { link: href("/route"), title: "Plan your route" },
  { link: href("/enquiry"), title: "Ask a question" },
  { link: href("/blog"), title: "Blog" },
  { link: href("/privacy-policy"), title: "Privacy policy" },
  { link: href("/terms-conditions"), title: "Terms and conditions" },
];

/** The footer of every public page: contact, quick links, the statistics switch and the legal identity. */
export function Footer({ courseLinks }: { courseLinks: readonly CourseLinks[] }) {
  const { registeredName, companyNumber, vatNumber, address } = provider;
  return (
    <footer className={styles.footer}>
      <div className={styles.ridge} aria-hidden="true" />
      <div className={styles.ground}>
        <div className={styles.columns}>
          <section id="contact" aria-labelledby="contact-heading">
            <h2 id="contact-heading">Talk to us</h2>
            <ContactBlock variant="footer" />
          </section>
          <nav aria-label="Courses">
            <h2>Courses</h2>
            <div className={styles.groups}>
              {courseLinks.map(({ label, courses }) => (
                <div key={label}>
                  <h3>{label}</h3>
                  <Links links={courses} />
                </div>
              ))}
            </div>
          </nav>
          <nav aria-label="Site">
            <h2>This site</h2>
            <Links links={siteLinks} />
          </nav>
        </div>
        <VisitSwitch />
        <p className={styles.identity}>
          {registeredName} is registered in England and Wales, number {companyNumber}
          {vatNumber && `, VAT number ${vatNumber}`}. Registered office: {address.street}, {address.locality}, {address.region}{" "}
          {address.postalCode}.{samples.length > 0 && ` The ${and.format(samples)} on this site are samples.`}
        </p>
      </div>
    </footer>
  );
}

function Links({ links }: { links: CourseLinks["courses"] }) {
  return (
    <ul className={styles.links}>
      {links.map(({ title, link }) => (
        <li key={link}>
          <a href={link}>{title}</a>
        </li>
      ))}
    </ul>
  );
}
