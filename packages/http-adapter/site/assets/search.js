import { h, icon, need } from "./dom.js"
import { find, indexOf } from "./find.js"
import { drawGates, gate } from "./gates.js"

/** @typedef {import("./find.js").Entry} Entry */

/** @type {Promise<import("./find.js").Index> | undefined} */
let index

const loadIndex = () => {
  index ??= fetch("/docs/search.json").then(async (response) => {
    if (!response.ok) throw new Error(`/docs/search.json answered ${response.status}.`)
    return indexOf(await response.json())
  })
  return index
}

/** @param {Entry} entry @param {number} index */
const option = (entry, index) =>
  h(
    "li",
    { role: "option", id: `search-${index}`, "aria-selected": "false" },
    h(
      "a",
      { href: entry.href, tabindex: -1 },
      entry.method === undefined
        ? icon(entry.kind === "guide" ? "guide" : "info")
        : h("span", { class: `method method-${entry.method.toLowerCase()}` }, entry.method),
      h(
        "span",
        { class: "search-words" },
        h("span", { class: "search-title" }, entry.title),
        h("span", { class: "search-detail" }, entry.detail)
      ),
      entry.feature !== undefined && gate(entry.feature, "sign")
    )
  )

/** Lets the reader find guides, endpoints and error codes by their words. */
export const startSearch = () => {
  const dialog = need("[data-search]")
  const input = need("[data-search-input]")
  const results = need("[data-search-results]")
  const none = need("[data-search-none]")
  if (!(dialog instanceof HTMLDialogElement) || !(input instanceof HTMLInputElement)) return
  let selected = 0

  const select = (/** @type {number} */ index) => {
    const options = [...results.children]
    selected = Math.max(0, Math.min(options.length - 1, index))
    for (const [place, element] of options.entries()) element.setAttribute("aria-selected", String(place === selected))
    const chosen = options[selected]
    if (chosen === undefined) {
      input.removeAttribute("aria-activedescendant")
    } else {
      input.setAttribute("aria-activedescendant", chosen.id)
      chosen.scrollIntoView({ block: "nearest" })
    }
  }

  const draw = async () => {
    const query = input.value
    const found = find(await loadIndex(), query)
    if (query !== input.value) return
    results.replaceChildren(...found.map(option))
    none.hidden = found.length > 0
    drawGates(results)
    select(0)
  }

  const open = () => {
    if (dialog.open) return
    dialog.showModal()
    input.select()
    void draw()
  }

  need("[data-search-button]").addEventListener("click", open)
  addEventListener("keydown", (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]")
    const isSlash = event.key === "/" && !isTyping
    const isCommand = event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey)
    if (!isSlash && !isCommand) return
    event.preventDefault()
    open()
  })
  input.addEventListener("input", () => void draw())
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault()
      select(selected + (event.key === "ArrowDown" ? 1 : -1))
    } else if (event.key === "Enter") {
      event.preventDefault()
      results.children[selected]?.querySelector("a")?.click()
    }
  })
  results.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a") !== null) dialog.close()
  })
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close()
  })
}
