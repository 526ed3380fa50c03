import { dressCode } from "./code.js"
import { all, fill, h, need } from "./dom.js"
import { drawGates } from "./gates.js"
import { markPlace } from "./nav.js"
import { loadReference } from "./openapi.js"
import { spy } from "./spy.js"

/** @typedef {{ article: HTMLElement, finish: () => void }} Unfinished an article with its heading, and the function that adds the rest */

const fragment = () => decodeURIComponent(location.hash.slice(1))

const goToFragment = () => {
  const id = fragment()
  const target = id === "" ? null : document.getElementById(id)
  if (target === null) return
  target.closest("details")?.setAttribute("open", "")
  target.scrollIntoView({ behavior: "instant" })
  const place = target.closest("[data-place]")
  markPlace(place instanceof HTMLElement ? (place.dataset.place ?? id) : id)
}

/** @param {Unfinished} unfinished */
const finish = ({ article, finish: add }) => {
  add()
  dressCode(article)
  drawGates(article)
}

/**
 * Changes the page without a move of the article in the window.
 *
 * @param {ReadonlyArray<Unfinished>} all
 * @param {() => void} change
 */
const inPlace = (all, change) => {
  const anchor = all.findLast(({ article }) => article.getBoundingClientRect().top < 120)?.article
  const before = anchor?.getBoundingClientRect().top ?? 0
  change()
  scrollBy({ top: (anchor?.getBoundingClientRect().top ?? 0) - before, behavior: "instant" })
}

/**
 * Finishes the articles: the wanted one immediately, the others one by one, because all of them together would block the page.
 *
 * @param {ReadonlyArray<Unfinished>} articles
 */
const finishAll = async (articles) => {
  const wanted = articles.find(({ article: { id } }) => fragment() === id || fragment().startsWith(`${id}/`))
  const [first = wanted, ...others] = [wanted, ...articles.filter((one) => one !== wanted)].filter(
    (one) => one !== undefined
  )
  if (first !== undefined) finish(first)
  goToFragment()
  for (const each of others) {
    await new Promise((done) => setTimeout(done))
    inPlace(articles, () => finish(each))
  }
}

/**
 * Fills a page of the reference from its part of the contract.
 *
 * @param {(reference: import("./openapi.js").Reference) => { parts: ReadonlyArray<import("./dom.js").Child>, articles: ReadonlyArray<Unfinished> }} draw
 */
export const drawPage = async (draw) => {
  const slot = need("[data-reference]")
  const drawn = document.createDocumentFragment()
  /** @type {ReadonlyArray<Unfinished>} */
  let unfinished = []
  try {
    const { articles, parts } = draw(await loadReference(slot.dataset.reference ?? ""))
    fill(drawn, parts)
    unfinished = articles
  } catch {
    slot.replaceChildren(
      h("p", { class: "notice notice-warning" }, "The reference could not be loaded. Reload the page later.")
    )
    return
  }
  slot.replaceChildren(drawn)
  slot.dataset.waiting = ""
  drawGates(slot)
  addEventListener("hashchange", goToFragment)
  await finishAll(unfinished)
  delete slot.dataset.waiting
  spy(all("[data-place]"), (element) => markPlace(element.dataset.place ?? ""))
}
