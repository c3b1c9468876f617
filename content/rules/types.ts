/** A page that states a rule. Prefer the regulator's own. */
export interface Source {
  name: string;
  url: `https://${string}`;
  /** The day on which the rule was last compared with excerpts of its source: an ISO date. */
  checked: string;
}

interface DatedRule {
  /** Slugs of the courses it applies to. */
  courses: readonly string[];
  /** The first and the last day on which the rule applies to a course that starts then: ISO dates, `null` if no end is known. */
  validFrom: string;
  validTo: string | null;
  source: Source;
}

/** A first-aid certificate that a learner must hold before the first day. */
export interface FirstAidRule extends DatedRule {
  kind: "first-aid";
  /** The slug of our course that leads to it. */
  firstAidCourse: string;
  /** The number of months for which the certificate must still be valid on the first day. */
  monthsLeft: number;
  /** Sentences on the certificate. */
  text: readonly string[];
}

/** Free e-learning that a learner must finish before the first day. */
export interface ELearningRule extends DatedRule {
  kind: "e-learning";
  modules: readonly string[];
}

/** The licence that the course is for. */
export interface LicenceRule extends DatedRule {
  kind: "licence";
  years: number;
  renewal: boolean;
  /** The page on which people apply and find the fee: sources differ on it, so our pages name no amount. */
  apply: `https://${string}`;
  text: readonly string[];
}

/** The validity of the certificate of a first-aid course. */
export interface CertificateRule extends DatedRule {
  kind: "certificate";
  years: number;
  text: readonly string[];
}

/** A rule of a regulator; it applies to courses that start between its first and its last day. */
export type Rule = FirstAidRule | ELearningRule | LicenceRule | CertificateRule;
