import { h, icon, need } from "./dom.js"
import { drawGates, gate } from "./gates.js"
import { loadReference } from "./openapi.js"
import { shapeOf } from "./schema.js"

/**
 * @typedef {object} Entry
 * @property {string} href
 * @property {string} title
 * @property {string} detail
 * @property {"Guides" | "Endpoints" | "Error codes"} group
 * @property {string} [method]
 * @property {string | null} [feature]
 * @property {string} keys what it is called
 * @property {string} text what it says
 * @property {string} [within] what it is a part of: words of that alone do not find it
 */

/** @returns {Promise<ReadonlyArray<Entry>>} */
const guideEntries = async () => {
  const response = await fetch("/docs/search.json")
  /** @type {ReadonlyArray<{ path: string, title: string, lead: string, sections: ReadonlyArray<{ id: string | null, title: string, text: string }> }>} */
  const guides = await response.json()
  return guides.flatMap((guide) => [
    {
      href: guide.path,
      title: guide.title,
      detail: guide.lead,
      group: /** @type {const} */ ("Guides"),
      keys: guide.title,
      text: [guide.lead, ...guide.sections.flatMap(({ text, title }) => [title, text])].join(" ")
    },
    ...guide.sections
      .filter(({ id }) => id !== null)
      .map((section) => ({
        href: `${guide.path}#${section.id}`,
        title: section.title,
        detail: guide.title,
        group: /** @type {const} */ ("Guides"),
        keys: section.title,
        text: section.text,
        within: guide.title
      }))
  ])
}

/** @param {ReadonlyArray<import("./schema.js").Field>} fields @param {number} [depth] @returns {ReadonlyArray<string>} */
const namesOf = (fields, depth = 0) =>
  depth > 2
    ? []
    : fields.flatMap(({ name, shape }) => [
        name,
        ...namesOf([...shape.fields, ...shape.variants.flatMap(({ shape: variant }) => variant.fields)], depth + 1)
      ])

/** @param {ReadonlyArray<string>} names */
const keysOf = (names) => [...new Set(names)].join(" ")

/**
 * The sections of an operation in the reference, by what is named in them.
 *
 * @param {import("./openapi.js").Operation} operation
 * @param {import("./openapi.js").Reference["resolve"]} resolve
 * @returns {ReadonlyArray<Entry>}
 */
const sectionEntries = (operation, resolve) => {
  /** @param {string} place */
  const parameters = (place) => operation.parameters.filter((one) => one.in === place).map(({ name }) => name)
  /** @param {import("./openapi.js").Schema | undefined} schema */
  const fields = (schema = {}) => {
    const { fields, variants } = shapeOf(schema, resolve)
    return namesOf([...fields, ...variants.flatMap(({ shape }) => shape.fields)])
  }
  const [body] = Object.values(operation.requestBody?.content ?? {})
  const answer = Object.entries(operation.answers).find(([status]) => status.startsWith("2"))
  const [media] = Object.values(answer?.[1].content ?? {})
  const sections = [
    { name: "path", title: "In the path", keys: parameters("path") },
    { name: "query", title: "In the query", keys: parameters("query") },
    { name: "body", title: "Body", keys: body === undefined ? [] : fields(body.schema) },
    {
      name: `answer-${answer?.[0]}`,
      title: `Answer ${answer?.[0]}`,
      keys: media === undefined ? [] : fields(media.schema)
    },
    { name: "errors", title: "Errors", keys: operation.refusals.map(({ code }) => code) }
  ]
  return sections
    .filter(({ keys }) => keys.length > 0)
    .map(({ keys, name, title }) => ({
      href: `/docs/reference#${operation.anchor}/${name}`,
      title: `${operation.summary} › ${title}`,
      detail: operation.path,
      group: /** @type {const} */ ("Endpoints"),
      method: operation.method,
      keys: `${title} ${keysOf(keys)}`,
      text: "",
      within: `${operation.summary} ${operation.method} ${operation.path} ${operation.id}`
    }))
}

/** @returns {Promise<ReadonlyArray<Entry>>} */
const referenceEntries = async () => {
  const { operations, resolve } = await loadReference()
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
    ...operations.flatMap((operation) => sectionEntries(operation, resolve)),
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
  const within = entry.within?.toLowerCase() ?? ""
  let score = 0
  let isOwn = entry.within === undefined
  for (const word of words) {
    const isKey = keys.includes(word)
    if (isKey && title.startsWith(word)) score += 10
    else if (isKey && (keys.includes(` ${word}`) || keys.startsWith(word))) score += 6
    else if (isKey) score += 4
    else if (text.includes(word)) score += entry.within === undefined ? 1 : 1.5
    else if (within.includes(word)) score += 1
    else return 0
    isOwn ||= isKey || text.includes(word)
  }
  return isOwn ? score - (entry.within === undefined ? 0 : 0.25) : 0
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
