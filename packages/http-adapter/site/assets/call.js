import { rewrite } from "./code.js"
import { curlOf } from "./curl.js"
import { h } from "./dom.js"
import { typescriptOf } from "./typescript.js"

/**
 * @typedef {import("./openapi.js").Operation} Operation
 * @typedef {import("./example.js").Resolve} Resolve
 */

const languages = [
  { name: "curl", grammar: "bash", write: curlOf },
  { name: "TypeScript", grammar: "ts", write: typescriptOf }
]

/** How to show every call of the page in a language. @type {Array<(place: number) => void>} */
const choosers = []

/** @param {number} place */
const choose = (place) => {
  for (const chooser of choosers) chooser(place)
}

/**
 * An example call in several languages. The choice holds for all calls of the page.
 *
 * @param {Operation} operation
 * @param {Resolve} resolve
 */
export const callFigure = (operation, resolve) => {
  const id = `call-${operation.id}`
  const [first] = languages
  const code = h("code", { class: `language-${first?.grammar}` }, first?.write(operation, resolve))
  const tabs = languages.map(({ name }, place) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `${id}-${place}`,
        "aria-controls": id,
        "aria-selected": String(place === 0),
        tabindex: place === 0 ? 0 : -1
      },
      name
    )
  )
  const panel = h("pre", { id, role: "tabpanel", tabindex: 0, "aria-labelledby": `${id}-0` }, code)
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": `Call of ${operation.summary}` }, tabs)
  const figure = h("figure", { class: "code" }, h("figcaption", {}, list), panel)
  choosers.push((chosen) => {
    const language = languages[chosen]
    if (language === undefined) return
    for (const [place, tab] of tabs.entries()) {
      tab.setAttribute("aria-selected", String(place === chosen))
      tab.tabIndex = place === chosen ? 0 : -1
    }
    panel.setAttribute("aria-labelledby", `${id}-${chosen}`)
    code.className = `language-${language.grammar}`
    rewrite(figure, language.write(operation, resolve))
  })
  for (const [place, tab] of tabs.entries()) {
    tab.addEventListener("click", () => {
      const before = tab.getBoundingClientRect().top
      choose(place)
      scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: "instant" })
    })
  }
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = tabs.findIndex((tab) => tab.tabIndex === 0)
    const next = (at + step + tabs.length) % tabs.length
    tabs[next]?.click()
    tabs[next]?.focus()
  })
  return figure
}
