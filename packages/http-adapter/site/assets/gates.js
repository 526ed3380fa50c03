import { all, h, icon } from "./dom.js"
import { entitlementTo, onStanding } from "./session.js"

/** @typedef {import("./session.js").Standing} Standing */

/**
 * A mark of something that a feature gates. What it says depends on who reads.
 *
 * @param {string} feature
 * @param {"sign" | "badge"} size
 */
export const gate = (feature, size) => h("span", { class: `gate gate-${size}`, "data-gate": feature })

/** @param {HTMLElement} element @param {Standing} standing */
const drawGate = (element, standing) => {
  const feature = element.dataset.gate ?? ""
  const entitlement = entitlementTo(standing, feature)
  const isSign = element.classList.contains("gate-sign")
  const isLacking = entitlement?.allowed === false
  element.classList.toggle("is-lacking", isLacking)
  element.classList.toggle("is-included", entitlement?.allowed === true)
  if (isLacking) {
    const words = `available in ${entitlement.availableIn.join(", ")}`
    element.title = `Not in your plan: ${words}`
    element.replaceChildren(
      icon("lock"),
      h(
        "span",
        { class: isSign ? "unseen" : "" },
        isSign ? `not in your plan, ${words}` : `Not in your plan · ${words}`
      )
    )
  } else if (isSign) {
    element.removeAttribute("title")
    element.replaceChildren()
  } else {
    element.removeAttribute("title")
    element.replaceChildren(
      icon(entitlement === null ? "plan" : "check"),
      entitlement === null ? `Needs ${feature} in the plan` : `In your plan`
    )
  }
}

/** @param {HTMLElement} mark @param {Standing} standing */
const drawPlanMark = (mark, standing) => {
  const entitlement = entitlementTo(standing, mark.dataset.feature ?? "")
  mark.querySelector(".plan-mark-yours")?.remove()
  mark.classList.toggle("is-lacking", entitlement?.allowed === false)
  mark.classList.toggle("is-included", entitlement?.allowed === true)
  if (entitlement === null) return
  const plan = standing.reader?.entitlements.plan ?? ""
  mark.append(
    h(
      "span",
      { class: "plan-mark-yours" },
      icon(entitlement.allowed ? "check" : "lock"),
      entitlement.allowed
        ? `Your plan, ${plan}, includes it.`
        : `Your plan, ${plan}, does not include it. It is available in ${entitlement.availableIn.join(", ")}. You can read, but writes are refused.`
    )
  )
}

/** @type {Standing | null} */
let known = null

/**
 * Brings the marks within an element up to date.
 *
 * @param {ParentNode} [within]
 */
export const drawGates = (within = document) => {
  if (known === null) return
  for (const element of all("[data-gate]", within)) drawGate(element, known)
  for (const mark of all(".plan-mark[data-feature]", within)) drawPlanMark(mark, known)
}

/** Marks what the reader's plan lacks. */
export const startGates = () =>
  onStanding((standing) => {
    known = standing
    drawGates()
  })
