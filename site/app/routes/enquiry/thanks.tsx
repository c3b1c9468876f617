import { provider } from "content/provider.ts";
import { href } from "react-router";
import { PageHead } from "../../ui/page-head.tsx";
import { Scene } from "../../ui/scene.tsx";
import { officeAnswer } from "./office-hours.ts";
import type { Route } from "./+types/thanks";

export function loader() {
  return { answer: officeAnswer(Temporal.Now.instant(), provider.openingHours) };
}

export function meta() {
  return [{ title: `Thank you | ${provider.name}` }, { name: "robots", content: "noindex" }];
}

export default function Thanks({ loaderData }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap">
      <Scene picture="/images/letter-sent.svg">
        <PageHead
          title="Thank you, we have your question"
          lead={`${loaderData.answer} We answer within one working day (${provider.openingHours.text}).`}
          up={{ href: href("/"), label: "Home" }}
        />
        <p>
          In a hurry? Call us on <a href={provider.phoneHref}>{provider.phone}</a>. Or have a look at the <a href="/#dates">next dates</a>{" "}
          or the <a href={href("/blog")}>blog</a>.
        </p>
      </Scene>
    </main>
  );
}
