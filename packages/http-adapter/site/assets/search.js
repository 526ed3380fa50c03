import { h, icon, need } from "./dom.js"
import { drawGates, gate } from "./gates.js"
import { loadReference } from "./openapi.js"

/** @typedef {{ href: string, title: string, detail: string, group: "Guides" | "Endpoints" | "Error codes", method?: string, feature?: string | null, keys: string, text: string }} Entry */

/** @returns {Promise<ReadonlyArray<Entry>>} */
const guideEntries = async () => {
  const response = await fetch("/docs/search.json")
  /** @type {ReadonlyArray<{ path: string, title: string, lead: string, text: string, headings: ReadonlyArray<{ id: string, text: string }> }>} */
  const guides = await response.json()
  return guides.flatMap((guide) => [
    {
      href: guide.path,
      title: guide.title,
      detail: guide.lead,
      group: /** @type {const} */ ("Guides"),
      keys: guide.title,
      text: `${guide.lead} ${guide.text}`
    },
    ...guide.headings.map((heading) => ({
      href: `${guide.path}#${heading.id}`,
      title: heading.text,
      detail: guide.title,
      group: /** @type {const} */ ("Guides"),
      keys: heading.text,
      text: guide.title
    }))
  ])
}

/** @returns {Promise<ReadonlyArray<Entry>>} */
const referenceEntries = async () => {
  const { operations } = await loadReference()
  const codes = new Map(operations.flatMap(({ refusals }) => refusals.map(({ code, title }) => [code, title])))
  return [
    ...operations.map((operation) => ({
      href: `/docs/reference#${operation.anchor}`,
      title: operation.summary,
      detail: operation.path,
      group: /** @type {const} */ ("Endpoints"),
      method: operation.method,
      feature: operation.feature,
      keys: `${operation.summary} ${operation.method} ${operation.path} ${operation.id} ${operation.area}`,
      text: operation.description
    })),
    ...[...codes].map(([code, title]) => ({
      href: `/docs/reference#problem/${code}`,
      title: code,
      detail: title,
      group: /** @type {const} */ ("Error codes"),
      keys: `${code} ${code.replaceAll("_", " ")} ${title}`,
      text: ""
    }))
  ]
}

/** @type {Promise<ReadonlyArray<Entry>> | undefined} */
let entries

const loadEntries = () => {
  entries ??= Promise.all([guideEntries(), referenceEntries()]).then((both) => both.flat())
  return entries
}

/** @param {Entry} entry @param {ReadonlyArray<string>} words */
const scoreOf = (entry, words) => {
  const title = entry.title.toLowerCase()
  const keys = entry.keys.toLowerCase()
  const text = entry.text.toLowerCase()
  let score = 0
  for (const word of words) {
    if (title.startsWith(word)) score += 10
    else if (keys.includes(` ${word}`) || keys.startsWith(word)) score += 6
    else if (keys.includes(word)) score += 4
    else if (text.includes(word)) score += 1
    else return 0
  }
  return score
}

/** @param {ReadonlyArray<Entry>} known @param {string} query */
const find = (known, query) => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return known.filter((entry) => entry.group === "Guides" && !entry.href.includes("#"))
  return known
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, 24)
    .map(({ entry }) => entry)
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
        ? icon(entry.group === "Guides" ? "guide" : "info")
        : h("span", { class: `method method-${entry.method.toLowerCase()}` }, entry.method),
      h(
        "span",
        { class: "search-words" },
        h("span", { class: "search-title" }, entry.title),
        h("span", { class: "search-detail" }, entry.detail)
      ),
      entry.feature !== null && entry.feature !== undefined && gate(entry.feature, "sign")
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
    const found = find(await loadEntries(), query)
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
