import { copyButton } from "./code.js"
import { fill, h } from "./dom.js"
import { highlight } from "./highlight.js"
import { problemHref } from "./index.js"

const mostText = 2_000_000
const mostColoured = 100_000
const mostKept = 200_000

/** @param {number} bytes */
const sizeOf = (bytes) => (bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`)

/** @param {number} startedAt */
const since = (startedAt) => `${Math.round(performance.now() - startedAt)} ms`

/** @param {string} text @param {string} language */
const coloured = (text, language) =>
  text.length > mostColoured ? document.createTextNode(text) : highlight(text, language)

/** @param {string} title */
const codeBox = (title) => {
  const code = h("code", {})
  const pre = h("pre", { tabindex: 0, "aria-label": title }, code)
  const figure = h("figure", { class: "code" }, h("figcaption", {}, title), pre)
  figure.append(copyButton(figure))
  return { code, pre, figure }
}

/** @param {string} text */
const formatted = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** @param {string} text @returns {Record<string, any> | null} */
const problemIn = (text) => {
  try {
    const problem = JSON.parse(text)
    return typeof problem === "object" ? problem : null
  } catch {
    return null
  }
}

/**
 * What a problem says, for people.
 *
 * @param {Record<string, any>} problem
 */
const problemBox = (problem) => {
  const errors = Array.isArray(problem.errors) ? problem.errors : []
  return h(
    "div",
    { class: "console-problem" },
    h("p", {}, h("strong", {}, String(problem.title ?? "Refused"))),
    problem.detail !== undefined && h("p", {}, String(problem.detail)),
    errors.length > 0 &&
      h(
        "ul",
        {},
        errors.map((error) =>
          h(
            "li",
            {},
            h("code", {}, error?.pointer === "" ? "the body" : String(error?.pointer)),
            " ",
            String(error?.message)
          )
        )
      ),
    typeof problem.code === "string" &&
      h("p", {}, "Code ", h("a", { href: problemHref(problem.code) }, h("code", {}, problem.code)))
  )
}

/** @param {Response} response */
const headerList = (response) => {
  const headers = [...response.headers]
  return h(
    "details",
    { class: "field-more" },
    h("summary", {}, `${headers.length} headers`),
    h(
      "dl",
      { class: "console-headers" },
      headers.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])
    )
  )
}

/**
 * @param {Response} response
 * @param {(text: string) => boolean} onText says whether there is to be more
 */
const readText = async (response, onText) => {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  const decoder = new TextDecoder()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    if (!onText(decoder.decode(value, { stream: true }))) return reader.cancel()
  }
}

/** Addresses of files that answers were: given back when the next answer comes. @type {Array<string>} */
const addresses = []

/**
 * Shows an answer as it comes in. All of it is put in as text.
 *
 * @param {Response} response
 * @param {HTMLElement} output
 * @param {HTMLElement} status
 * @param {number} startedAt
 */
export const showAnswer = async (response, output, status, startedAt) => {
  const took = since(startedAt)
  const type = (response.headers.get("content-type") ?? "").split(";")[0] ?? ""
  const said = `${response.status} ${response.statusText}`.trim()
  status.textContent = `${said} · ${took}`
  output.append(headerList(response))
  for (const address of addresses.splice(0)) URL.revokeObjectURL(address)
  if (type === "text/event-stream") {
    const { code, figure, pre } = codeBox("Events")
    output.prepend(figure)
    status.textContent = `${said} · following`
    await readText(response, (text) => {
      code.textContent = `${code.textContent}${text}`.slice(-mostKept)
      pre.scrollTop = pre.scrollHeight
      return true
    })
    status.textContent = `${said} · the stream has ended after ${since(startedAt)}`
    return
  }
  if (/^text\/|json$/.test(type)) {
    let text = ""
    await readText(response, (more) => {
      text += more
      return text.length < mostText
    })
    const isCut = text.length >= mostText
    const isJson = type.endsWith("json") && !isCut
    const problem = type === "application/problem+json" ? problemIn(text) : null
    const { code, figure } = codeBox(type)
    fill(code, coloured(isJson ? formatted(text) : text, isJson ? "json" : "text"))
    output.prepend(figure)
    if (isCut)
      output.prepend(h("p", {}, "This is the beginning of the answer. The whole answer is too long for the page."))
    if (problem !== null) output.prepend(problemBox(problem))
    status.textContent = `${said} · ${took} · ${sizeOf(new Blob([text]).size)}`
    return
  }
  const bytes = await response.blob()
  if (bytes.size === 0) {
    output.prepend(h("p", {}, "The answer has no body."))
    return
  }
  const address = URL.createObjectURL(bytes)
  addresses.push(address)
  output.prepend(
    h(
      "p",
      {},
      `${sizeOf(bytes.size)} of ${type} `,
      h("a", { class: "button", href: address, download: "answer" }, "Save")
    )
  )
}
