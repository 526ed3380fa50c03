/// <reference lib="dom" />
import type { Page } from "playwright-core"

/** Runs in the page and describes problems that prevent users from reading or using it. */
const findFaults = (): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const all = (selector: string) => Array.from(document.querySelectorAll<HTMLElement>(selector))
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })
  const say = (element: Element) =>
    `${element.tagName.toLowerCase()}.${element.className} "${(element.textContent ?? "").trim().slice(0, 40)}"`

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })
  const known = new Map<string, readonly [number, number, number, number]>()
  const rgba = (color: string) => {
    const seen = known.get(color)
    if (seen !== undefined || canvas === null) return seen ?? ([0, 0, 0, 1] as const)
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
    const value = [red, green, blue, alpha / 255] as const
    known.set(color, value)
    return value
  }
  const over = (top: ReadonlyArray<number>, below: ReadonlyArray<number>) => {
    const alpha = top[3] ?? 1
    return [0, 1, 2].map((index) => (top[index] ?? 0) * alpha + (below[index] ?? 0) * (1 - alpha))
  }
  const backs = new Map<Element, ReadonlyArray<number>>()
  const backOf = (element: Element): ReadonlyArray<number> => {
    const seen = backs.get(element)
    if (seen !== undefined) return seen
    const own = rgba(getComputedStyle(element).backgroundColor)
    const parent = element.parentElement
    const below = () =>
      parent === null
        ? rgba(getComputedStyle(document.documentElement).colorScheme.includes("dark") ? "#000" : "#fff")
        : backOf(parent)
    const back = own[3] === 1 ? own : over(own, below())
    backs.set(element, back)
    return back
  }
  const luminance = (color: ReadonlyArray<number>) => {
    const [red = 0, green = 0, blue = 0] = color.slice(0, 3).map((value) => {
      const share = value / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const contrast = (one: ReadonlyArray<number>, other: ReadonlyArray<number>) => {
    const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((first, second) => second - first)
    return (light + 0.05) / (dark + 0.05)
  }

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const judged = new Set<Element>()
  let texted = 0
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const element = node.parentElement
    if (element === null || judged.has(element) || (node.textContent ?? "").trim() === "" || !isShown(element)) continue
    judged.add(element)
    texted++
    const style = getComputedStyle(element)
    const back = backOf(element)
    const size = Number.parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    const ratio = contrast(over(rgba(style.color), back), back)
    if (ratio < (isLarge ? 3 : 4.5)) faults.push(`contrast ${ratio.toFixed(2)} at ${say(element)}`)
  }
  if (texted < 5) faults.push("there is next to no text")

  for (const landmark of ["main", "header.top", "nav[aria-label]"]) {
    const expected = landmark === "nav[aria-label]" && document.body.dataset["page"] === "sheet" ? 0 : 1
    const count = all(landmark).length
    if (landmark === "nav[aria-label]" ? count < expected : count !== expected)
      faults.push(`${count} times ${landmark}`)
  }
  if (document.documentElement.lang !== "en") faults.push("the page does not say its language")
  if (document.title === "") faults.push("the page has no title")

  const headings = all("h1, h2, h3, h4, h5, h6").filter(isShown)
  if (headings.filter(({ tagName }) => tagName === "H1").length !== 1) faults.push("not exactly one first heading")
  let level = 0
  for (const heading of headings) {
    const own = Number(heading.tagName.slice(1))
    if (own > level + 1) faults.push(`level ${own} after ${level} at ${say(heading)}`)
    level = own
  }

  const nameOf = (element: HTMLElement) => {
    const isField = [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement].some((kind) => element instanceof kind)
    const labels = isField ? (element as HTMLInputElement).labels : null
    const parts = [
      element.getAttribute("aria-label"),
      ...(element.getAttribute("aria-labelledby") ?? "")
        .split(/\s+/)
        .map((id) => document.getElementById(id)?.textContent),
      ...Array.from(labels ?? [], (label) => label.textContent),
      element.textContent
    ]
    return parts.find((part) => typeof part === "string" && part.trim() !== "")
  }
  for (const element of all("a[href], button, input, select, textarea, summary, dialog, [role='listbox']").filter(
    isShown
  )) {
    if (nameOf(element) === undefined) faults.push(`no name for ${element.outerHTML.slice(0, 80)}`)
  }
  for (const element of all("[aria-controls], [aria-describedby], [aria-labelledby]")) {
    for (const attribute of ["aria-controls", "aria-describedby", "aria-labelledby"]) {
      for (const id of (element.getAttribute(attribute) ?? "").split(/\s+/).filter(Boolean)) {
        if (document.getElementById(id) === null) faults.push(`${attribute} names ${id}, which is not there`)
      }
    }
  }
  const ids = all("[id]").map(({ id }) => id)
  for (const [id, called] of Map.groupBy(ids, (id) => id)) {
    if (called.length > 1) faults.push(`two elements are called ${id}`)
  }
  for (const element of all("[tabindex]")) if (element.tabIndex > 0) faults.push(`tab order is bent at ${say(element)}`)
  for (const list of all("ul, ol")) {
    for (const child of list.children) {
      if (child.tagName !== "LI") faults.push(`a list has ${child.tagName} in it`)
    }
  }
  return Array.from(new Set(faults))
}

/** Accessibility problems of the page; empty without any. */
export const faultsOf = (page: Page): Promise<ReadonlyArray<string>> => page.evaluate(findFaults)

/** Width of the page beyond its window in pixels. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
