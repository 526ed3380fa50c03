import { all, h } from "./dom.js"
import { drawGates, gate } from "./gates.js"
import { loadAreas } from "./index.js"
import { spy } from "./spy.js"

const call = /^(GET|POST|PUT|PATCH|DELETE) (\/\S+)$/

/** @param {string} path */
const shapeOfPath = (path) => path.replace(/^\/api\/v1(?=\/)/, "").replaceAll(/:\w+|\{\w+\}/g, "{}")

/** Turns every `METHOD /path` of the guide into a link to the reference and marks endpoints that the plan lacks. */
const linkEndpoints = async () => {
  const operations = (await loadAreas()).flatMap((area) => area.operations)
  const known = new Map(
    operations.map((operation) => [`${operation.method} ${shapeOfPath(operation.path)}`, operation])
  )
  for (const code of all(".prose code")) {
    const [, method, path] = call.exec(code.textContent ?? "") ?? []
    if (method === undefined || path === undefined || code.closest("pre, a") !== null) continue
    const operation = known.get(`${method} ${shapeOfPath(path)}`)
    if (operation === undefined) continue
    const link = h("a", { class: "endpoint-link", href: operation.href })
    code.replaceWith(link)
    link.append(code)
    if (operation.feature !== null) link.append(gate(operation.feature, "sign"))
  }
  drawGates()
}

const followContents = () => {
  const links = new Map(
    all("[data-contents] a").map((link) => [decodeURIComponent(link.getAttribute("href") ?? "").slice(1), link])
  )
  const headings = all(".prose h2[id], .prose h3[id]").filter((heading) => links.has(heading.id))
  spy(headings, (heading) => {
    for (const [id, link] of links) {
      if (id === heading.id) link.setAttribute("aria-current", "location")
      else link.removeAttribute("aria-current")
    }
  })
}

/** Brings a guide to life. */
export const startGuide = async () => {
  followContents()
  await linkEndpoints()
}
