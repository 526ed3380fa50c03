import { Feature } from "@parley/domain/kernel"
import { plansWith } from "@parley/domain/platform"
import { Effect } from "effect"
import { type Document, readDocument } from "./Markdown.ts"
import { picturePath, readSiteText } from "./SiteFiles.ts"
import { type Html, html, nothing } from "./html.ts"

/** Guides in reading order, by group. `docs/guides/README.md` shows the groups. */
export const guideSlugs = [
  // Get started
  "quick-start",
  "receive-and-answer",
  "from-typescript",
  "simulator",
  "try-an-onboarding",
  // Messaging
  "connect-a-number",
  "inbox",
  "message-kinds",
  "templates",
  "business-hours",
  // Contacts
  "contacts",
  // Campaigns
  "broadcasts",
  "analytics",
  // Commerce
  "stores",
  // Automate
  "automations",
  "workflows",
  "actions",
  // Integrate
  "webhooks",
  "plugins",
  "webhook-channel",
  // API basics
  "authentication",
  "tenancy-and-roles",
  "automation-tokens",
  "plans-and-limits",
  "errors",
  "pagination",
  "idempotency",
  "concurrency",
  "rate-limits"
] as const

/** Name of a guide in its path. */
export type GuideSlug = (typeof guideSlugs)[number]

/** Rendered guide. */
export interface Guide extends Document {
  readonly slug: GuideSlug
  readonly path: `/docs/guides/${string}`
  /** The guide as Markdown. */
  readonly text: string
}

const isFeature = (word: string): word is Feature => Feature.literals.some((feature) => feature === word)

const havers = (plans: ReadonlyArray<string>) =>
  plans.length === 1 ? `The plan ${plans[0]} has` : `The plans ${plans.join(" and ")} have`

const featureIn = (comment: string) => /^plan:\s*(?<feature>\w+)$/.exec(comment)?.groups?.["feature"] ?? ""

/** Writes the plans with a feature in place of the comment. */
const withPlans = (source: string) =>
  source.replaceAll(/^<!--\s*(?<comment>.*?)\s*-->$/gm, (_, comment: string) => {
    const feature = featureIn(comment)
    return isFeature(feature) ? `${havers(plansWith(feature))} ${feature}.` : ""
  })

/** Renders `<!-- plan: automations -->`, which lists the plans with the feature. The page adds whether the plan of the reader has it. */
const planMark = (comment: string): Html => {
  const feature = featureIn(comment)
  if (!isFeature(feature)) return nothing
  return html`<p class="plan-mark" data-feature="${feature}">
    <span>${havers(plansWith(feature))} ${feature}.</span>
  </p>`
}

const guidePath = (target: string) => target.replace(/^\.\/(?<slug>[\w-]+)\.md(?=#|$)/, "/docs/guides/$<slug>")

const picturePathOf = (target: string) => {
  const name = /^\.\.\/pictures\/(?<name>[\w-]+\.svg)$/.exec(target)?.groups?.["name"]
  return name === undefined ? null : picturePath(name)
}

const readGuide = Effect.fnUntraced(function* (slug: GuideSlug) {
  const source = yield* readSiteText(`guides/${slug}.md`)
  const document = readDocument(source, { link: guidePath, picture: picturePathOf, comment: planMark })
  return { ...document, slug, path: `/docs/guides/${slug}`, text: withPlans(source) } satisfies Guide
})

export const readGuides = Effect.forEach(guideSlugs, readGuide)
