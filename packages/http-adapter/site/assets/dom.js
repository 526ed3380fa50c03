/** @typedef {Node | string | false | null | undefined} Child */

/**
 * Makes an element. Attributes that are false, null or undefined are left out.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
 * @param {...(Child | ReadonlyArray<Child>)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const h = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : String(value))
    }
  }
  fill(element, ...children)
  return element
}

/**
 * Puts children into an element, after what is there.
 *
 * @param {Element | DocumentFragment} parent
 * @param {...(Child | ReadonlyArray<Child>)} children
 */
export const fill = (parent, ...children) => {
  for (const child of children.flat()) {
    if (child !== false && child !== null && child !== undefined) parent.append(child)
  }
}

/**
 * A part that opens. A closed part is drawn when it opens first: schemas repeat each other, and all of them together would be
 * hundreds of thousands of elements.
 *
 * @param {{ class: string, open?: boolean }} attributes
 * @param {ReadonlyArray<Child>} summary
 * @param {() => Child | ReadonlyArray<Child>} draw
 */
export const later = ({ class: name, open = false }, summary, draw) => {
  const details = h("details", { class: name, open }, h("summary", {}, summary))
  const show = () => {
    if (details.childElementCount === 1) fill(details, draw())
  }
  if (open) show()
  else details.addEventListener("toggle", show, { once: true })
  return details
}

/**
 * @param {ReadonlyArray<Child>} summary
 * @param {() => Child | ReadonlyArray<Child>} draw
 */
export const more = (summary, draw) => later({ class: "field-more" }, summary, draw)

/**
 * The first element that fits, which the page is known to have.
 *
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {HTMLElement}
 */
export const need = (selector, within = document) => {
  const element = within.querySelector(selector)
  if (element instanceof HTMLElement) return element
  throw new Error(`The page has no ${selector}.`)
}

/**
 * Every element that fits.
 *
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {ReadonlyArray<HTMLElement>}
 */
export const all = (selector, within = document) =>
  [...within.querySelectorAll(selector)].filter((element) => element instanceof HTMLElement)

/**
 * An icon; the words beside it say what it means.
 *
 * @param {string} name
 */
export const icon = (name) => h("span", { class: `icon icon-${name}`, "aria-hidden": "true" })
