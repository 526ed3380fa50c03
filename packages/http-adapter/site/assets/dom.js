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
 * What opens to show more, which is made when it is opened first.
 *
 * @param {ReadonlyArray<Child>} summary
 * @param {() => Child | ReadonlyArray<Child>} draw
 */
export const more = (summary, draw) => {
  const details = h("details", { class: "field-more" }, h("summary", {}, summary))
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) fill(details, draw())
  })
  return details
}

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
