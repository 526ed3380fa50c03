import { h } from "./dom.js"
import { drawPage } from "./drawn.js"
import { gate } from "./gates.js"
import { operationArticle, route } from "./operation.js"

/** @param {import("./openapi.js").Operation} operation */
const routeLink = (operation) =>
  h(
    "li",
    {},
    h(
      "a",
      {
        href: `#${operation.anchor}`,
        "aria-label": `${operation.method} ${operation.path}: ${operation.summary}`
      },
      route(operation),
      operation.feature !== null && gate(operation.feature, "sign")
    )
  )

void drawPage((reference) => {
  const articles = reference.operations.map((operation) => operationArticle(operation, reference))
  const list = h(
    "section",
    { class: "area-head", "data-place": location.pathname, "aria-labelledby": "operations" },
    h("h2", { id: "operations" }, "Operations"),
    h("ul", { class: "routes" }, reference.operations.map(routeLink))
  )
  return { articles, parts: [list, ...articles.map(({ article }) => article)] }
})
