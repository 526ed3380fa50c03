import { all, h, icon, need } from "./dom.js"
import { onStanding } from "./session.js"

/** @typedef {import("./session.js").Limit} Limit @typedef {import("./session.js").Feature} Feature */

/** @type {Record<string, string>} */
const limitNames = {
  seats: "Seats",
  contacts: "Contacts",
  chatAccounts: "Chat accounts",
  storeConnections: "Store connections",
  webhookSubscriptions: "Webhook subscriptions",
  plugins: "Plugins",
  automations: "Automations",
  workflows: "Workflows",
  broadcastRecipientsPerMonth: "Broadcast recipients a month"
}

/** @param {string} name */
const spoken = (name) => limitNames[name] ?? name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()

/** @param {number} value */
const grouped = (value) => new Intl.NumberFormat("en").format(value)

/** @param {string} time */
const day = (time) => new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(new Date(time))

/** @param {Feature} feature */
const featureRow = (feature) =>
  h(
    "li",
    { class: feature.allowed ? "is-included" : "is-lacking", "data-plan-feature": feature.feature },
    icon(feature.allowed ? "check" : "lock"),
    h("span", { class: "plan-feature-name" }, feature.feature),
    h(
      "span",
      { class: "plan-feature-state" },
      feature.allowed ? "in your plan" : `available in ${feature.availableIn.join(", ")}`
    )
  )

/** @param {Limit} limit */
const limitRow = (limit) => {
  const bar = h("span", { class: "meter-bar", hidden: limit.used === 0 })
  bar.style.inlineSize = `${Math.min(100, limit.max === 0 ? 100 : (limit.used / limit.max) * 100)}%`
  return h(
    "li",
    { class: limit.allowed ? "" : "is-full" },
    h("span", { class: "limit-name" }, spoken(limit.limit)),
    h("span", { class: "limit-use" }, `${grouped(limit.used)} of ${grouped(limit.max)}`),
    h("span", { class: "meter", "aria-hidden": "true" }, bar),
    limit.resetsAt !== null && h("span", { class: "limit-reset" }, `Resets on ${day(limit.resetsAt)}`)
  )
}

/** @param {string} name */
const firstName = (name) => name.split(/\s+/)[0] ?? name

/** @param {string} selector @param {string} text */
const say = (selector, text) => {
  for (const element of all(selector)) element.textContent = text
}

/** Greets the reader and shows the plan, on the first page. */
export const startPlan = () => {
  if (document.querySelector("[data-plan-features]") === null) return
  onStanding(({ reader }) => {
    say("[data-greeting]", reader === null ? "Welcome" : `Good to see you, ${firstName(reader.user.name)}.`)
    say("[data-reader-name]", reader?.user.name ?? "")
    say("[data-organization-name]", reader?.organization.name ?? "")
    say("[data-plan-name]", reader?.entitlements.plan ?? "")
    need("[data-plan-features]").replaceChildren(...(reader?.entitlements.features ?? []).map(featureRow))
    need("[data-plan-limits]").replaceChildren(...(reader?.entitlements.limits ?? []).map(limitRow))
  })
}
