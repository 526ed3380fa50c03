import { all, h, need } from "./dom.js"
import { drawGates, gate } from "./gates.js"
import { errorsPath, loadAreas } from "./index.js"

/** @typedef {import("./index.js").IndexedArea} Area @typedef {import("./index.js").IndexedOperation} Operation */

/** @param {Operation} operation */
const operationLink = (operation) =>
  h(
    "li",
    {},
    h(
      "a",
      { href: operation.href, "data-spy": `operation/${operation.id}` },
      h(
        "span",
        { class: `method method-${operation.method.toLowerCase()}` },
        operation.method === "DELETE" ? "DEL" : operation.method
      ),
      h("span", { class: "nav-words" }, operation.summary),
      operation.feature !== null && gate(operation.feature, "sign")
    )
  )

/**
 * Sections of the areas, with the links of the operations that are not drawn yet.
 *
 * @type {Map<string, { details: HTMLDetailsElement, anchors: ReadonlySet<string>, draw: () => void }>}
 */
const sections = new Map()

/** An area whose links are drawn when it opens first. @param {Area} area */
const areaSection = ({ name, operations, path }) => {
  const gated = operations.find((operation) => operation.feature !== null)?.feature ?? null
  const list = h("ul", { class: "nav-list" })
  const details = h(
    "details",
    { class: "nav-area" },
    h("summary", {}, h("span", { class: "nav-words" }, name), gated !== null && gate(gated, "sign")),
    list
  )
  const draw = () => {
    if (list.childElementCount > 0) return
    list.append(...operations.map(operationLink))
    drawGates(list)
  }
  details.addEventListener("toggle", draw, { once: true })
  sections.set(path, { details, draw, anchors: new Set(operations.map(({ id }) => `operation/${id}`)) })
  return h("li", {}, details)
}

/** @param {string} anchor */
const areaOf = (anchor) => {
  const section = sections.get(anchor) ?? [...sections.values()].find(({ anchors }) => anchors.has(anchor))
  section?.draw()
  return { link: all("[data-spy]").find((one) => one.dataset.spy === anchor), details: section?.details ?? null }
}

/** Scrolls the navigation to an element that is outside of its window. @param {HTMLElement} element */
const reveal = (element) => {
  const box = need("[data-sidebar]")
  const bounds = element.getBoundingClientRect()
  const frame = box.getBoundingClientRect()
  if (frame.height === 0) return
  if (bounds.top < frame.top + 40 || bounds.bottom > frame.bottom - 40) {
    box.scrollTop += bounds.top - frame.top - frame.height / 2
  }
}

/** Place of the reader. The navigation can be drawn after the page. */
let place = location.pathname

/**
 * Marks where the reader is in the navigation.
 *
 * @param {string} anchor
 */
export const markPlace = (anchor) => {
  const { details, link } = areaOf(anchor)
  place = anchor
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
  link?.setAttribute("aria-current", "location")
  const shown = link ?? details?.querySelector("summary")
  if (shown instanceof HTMLElement) reveal(shown)
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
    const current = sidebar.querySelector("[aria-current='location']") ?? sidebar.querySelector("[aria-current]")
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
  const areas = await loadAreas()
  const list = need("[data-nav-reference]")
  list.append(...areas.map(areaSection))
  const isErrorsPage = location.pathname === errorsPath
  const errors = h("a", { href: errorsPath, "aria-current": isErrorsPage && "page" }, "Error codes")
  list.append(h("li", {}, errors))
  if (isErrorsPage) reveal(errors)
  markAreaCards(areas)
  drawGates()
  markPlace(place)
}
