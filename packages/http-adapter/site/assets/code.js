import { all, h } from "./dom.js"
import { highlight } from "./highlight.js"
import { onStanding } from "./session.js"

const sampleOrigin = "http://127.0.0.1:8787"
const sampleOrganization = "YOUR_ORGANIZATION_ID"

/** @type {WeakMap<Element, string>} */
const sources = new WeakMap()

let organizationId = sampleOrganization

/** @param {string} source */
const personal = (source) =>
  source.replaceAll(sampleOrigin, location.origin).replaceAll(sampleOrganization, organizationId)

/** @param {Element} code */
const draw = (code) => {
  const source = sources.get(code) ?? code.textContent ?? ""
  sources.set(code, source)
  const language = /language-(\w+)/.exec(code.className)?.[1] ?? "text"
  code.replaceChildren(highlight(personal(source), language))
}

/**
 * Copies the code of a figure.
 *
 * @param {HTMLElement} figure
 */
export const copyButton = (figure) => {
  const button = h("button", { type: "button", class: "copy" }, h("span", { class: "copy-word" }, "Copy"))
  const word = button.firstElementChild ?? button
  button.addEventListener("click", async () => {
    const code = figure.querySelector("code")?.textContent ?? ""
    const done = await navigator.clipboard.writeText(code).then(
      () => true,
      () => false
    )
    word.textContent = done ? "Copied" : "Select and copy"
    setTimeout(() => (word.textContent = "Copy"), 2000)
  })
  button.setAttribute("aria-live", "polite")
  return button
}

/**
 * Colours the code blocks within an element, puts the reader's organization and this server into them, and lets them be copied.
 *
 * @param {ParentNode} [within]
 */
export const dressCode = (within = document) => {
  for (const figure of all("figure.code", within)) {
    for (const code of figure.querySelectorAll("pre code")) draw(code)
    if (figure.querySelector(".copy") === null) figure.append(copyButton(figure))
  }
}

/**
 * A code block with a heading.
 *
 * @param {string} title
 * @param {string} language
 * @param {string} source
 */
export const codeFigure = (title, language, source) =>
  h(
    "figure",
    { class: "code" },
    h("figcaption", {}, title),
    h("pre", { tabindex: 0 }, h("code", { class: `language-${language}` }, source))
  )

/**
 * Changes what a code block says.
 *
 * @param {HTMLElement} figure
 * @param {string} source
 */
export const rewrite = (figure, source) => {
  const code = figure.querySelector("pre code")
  if (code === null) return
  sources.set(code, source)
  draw(code)
}

/** Updates the code blocks of the page when the reader changes. */
export const startCode = () =>
  onStanding((standing) => {
    organizationId = standing.reader?.organization.id ?? sampleOrganization
    dressCode()
  })
