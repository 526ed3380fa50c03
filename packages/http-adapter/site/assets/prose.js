import { h } from "./dom.js"

const token = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^\s)]+)\)/g

/** @param {string} target */
const isSafe = (target) => /^(?:https?:\/\/|\/(?!\/)|#)/.test(target)

/** @param {string} text */
const inline = (text) => {
  const fragment = document.createDocumentFragment()
  let from = 0
  for (const match of text.matchAll(token)) {
    const [whole, code, strong, label, target] = match
    fragment.append(text.slice(from, match.index))
    if (code !== undefined) fragment.append(h("code", {}, code))
    else if (strong !== undefined) fragment.append(h("strong", {}, strong))
    else if (label !== undefined && target !== undefined && isSafe(target))
      fragment.append(h("a", { href: target }, label))
    else fragment.append(label ?? whole)
    from = match.index + whole.length
  }
  fragment.append(text.slice(from))
  return fragment
}

/**
 * A description as the OpenAPI document has it: paragraphs, lists, and the few marks that descriptions use.
 *
 * @param {string} text
 */
export const prose = (text) =>
  text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== "")
    .map((paragraph) => {
      const lines = paragraph.split("\n")
      return lines.every((line) => /^\s*[-*] /.test(line))
        ? h(
            "ul",
            {},
            lines.map((line) => h("li", {}, inline(line.replace(/^\s*[-*] /, ""))))
          )
        : h("p", {}, inline(lines.join(" ")))
    })

/**
 * A description of one line.
 *
 * @param {string} text
 */
export const words = (text) => inline(text.replaceAll("\n", " "))
