import { all, h, need } from "./dom.js"
import { drawGates, gate } from "./gates.js"
import { loadReference } from "./openapi.js"

/** @typedef {import("./openapi.js").Area} Area @typedef {import("./openapi.js").Operation} Operation */

/** @param {Operation} operation */
const operationLink = (operation) =>
  h(
    "li",
    {},
    h(
      "a",
      { href: `/docs/reference#${operation.anchor}`, "data-spy": operation.anchor },
      h(
        "span",
        { class: `method method-${operation.method.toLowerCase()}` },
        operation.method === "DELETE" ? "DEL" : operation.method
      ),
      h("span", { class: "nav-words" }, operation.summary),
      operation.feature !== null && gate(operation.feature, "sign")
    )
  )

/** @param {Area} area */
const areaSection = (area) => {
  const gated = area.operations.find((operation) => operation.feature !== null)?.feature ?? null
  return h(
    "li",
    {},
    h(
      "details",
      { class: "nav-area", "data-area": area.anchor },
      h("summary", {}, h("span", { class: "nav-words" }, area.name), gated !== null && gate(gated, "sign")),
      h("ul", { class: "nav-list" }, area.operations.map(operationLink))
    )
  )
}

/** @param {string} anchor */
const areaOf = (anchor) => {
  const link = all("[data-spy]").find((one) => one.dataset.spy === anchor)
  const details = link?.closest("details") ?? document.querySelector(`[data-area="${CSS.escape(anchor)}"]`)
  return { link, details: details instanceof HTMLDetailsElement ? details : null }
}

/**
 * Marks where the reader is in the navigation.
 *
 * @param {string} anchor
 */
export const markPlace = (anchor) => {
  const { details, link } = areaOf(anchor)
  document.querySelector("[data-nav-reference]")?.classList.toggle("is-within", anchor !== "introduction")
  for (const marked of all("[data-spy][aria-current]")) {
    if (marked !== link) marked.removeAttribute("aria-current")
  }
  if (details !== null && !details.open) {
    for (const other of all("details.nav-area[data-spied]")) {
      if (other !== details && other instanceof HTMLDetailsElement) {
        other.open = false
        delete other.dataset.spied
      }
    }
    details.open = true
    details.dataset.spied = ""
  }
  if (link === undefined) return
  link.setAttribute("aria-current", "location")
  const box = need("[data-sidebar]")
  const place = link.getBoundingClientRect()
  const frame = box.getBoundingClientRect()
  if (frame.height === 0) return
  if (place.top < frame.top + 40 || place.bottom > frame.bottom - 40) {
    box.scrollTop += place.top - frame.top - frame.height / 2
  }
}

const startMenu = () => {
  const button = need("[data-nav-button]")
  const sidebar = need("[data-sidebar]")
  /** @param {boolean} isOpen */
  const set = (isOpen) => {
    button.setAttribute("aria-expanded", String(isOpen))
    sidebar.classList.toggle("is-open", isOpen)
    document.documentElement.classList.toggle("has-menu", isOpen)
    need("main").inert = isOpen
  }
  const isOpen = () => button.getAttribute("aria-expanded") === "true"
  button.addEventListener("click", () => {
    set(!isOpen())
    if (!isOpen()) return
    const current = sidebar.querySelector(":not(.is-within) > li > [aria-current], [aria-current='location']")
    const link = current instanceof HTMLElement ? current : need("a", sidebar)
    link.focus({ preventScroll: true })
    link.scrollIntoView({ block: "center" })
  })
  sidebar.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a") !== null) set(false)
  })
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen()) return
    set(false)
    button.focus()
  })
  matchMedia("(min-width: 901px)").addEventListener("change", (wide) => {
    if (wide.matches && isOpen()) set(false)
  })
}

/** @param {ReadonlyArray<Area>} areas */
const markAreaCards = (areas) => {
  for (const { name, operations } of areas) {
    const gated = operations.find((operation) => operation.feature !== null)?.feature ?? null
    const title = document.querySelector(`[data-area-card="${CSS.escape(name)}"] > h3`)
    if (gated !== null) title?.append(gate(gated, "sign"))
  }
}

/** Opens and closes the navigation on a small screen, and puts the endpoints into it. */
export const startNav = async () => {
  startMenu()
  const { areas } = await loadReference()
  const list = need("[data-nav-reference]")
  list.append(...areas.map(areaSection))
  const isErrorsPage = location.pathname === "/docs/reference"
  list.append(
    h(
      "li",
      {},
      h("a", { href: "/docs/reference#problems", ...(isErrorsPage ? { "data-spy": "problems" } : {}) }, "Error codes")
    )
  )
  markAreaCards(areas)
  drawGates()
}
