import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { PathNotFound } from "../../api/problems.ts"
import { acceptsType } from "../contentNegotiation.ts"
import { renderProblem } from "../renderProblem.ts"
import type { Guide } from "./Guides.ts"
import { pageHeaders } from "./SiteFiles.ts"
import { html, nothing } from "./html.ts"
import type { Page } from "./page.ts"

const contents = (guide: Guide) =>
  html`<aside class="contents" aria-label="On this page">
    <p class="nav-title">On this page</p>
    <ul data-contents>
      ${guide.headings
        .filter((heading) => heading.level <= 3)
        .map((heading) => html`<li class="level-${heading.level}"><a href="#${heading.id}">${heading.text}</a></li>`)}
    </ul>
  </aside>`

const neighbour = (label: string, guide: Guide | undefined) =>
  guide === undefined
    ? nothing
    : html`<a class="neighbour" href="${guide.path}"><span>${label}</span><strong>${guide.title}</strong></a>`

export const guidePage = (guide: Guide, guides: ReadonlyArray<Guide>): Page => {
  const place = guides.indexOf(guide)
  return {
    kind: "guide",
    path: guide.path,
    hasText: true,
    title: `${guide.title} · Parley Docs`,
    description: guide.leadText,
    main: html`<article class="prose">
        <p class="eyebrow">Guide</p>
        <h1>${guide.title}</h1>
        <p class="lead">${guide.lead}</p>
        ${guide.body}
      </article>
      <nav class="neighbours" aria-label="More guides">
        ${neighbour("Before", guides[place - 1])}${neighbour("Next", guides[place + 1])}
      </nav>`,
    aside: contents(guide)
  }
}

/** Page for missing paths of the site. */
export const missingPage: Page = {
  kind: "missing",
  path: "/docs/:page/*",
  hasText: false,
  title: "Page not found · Parley Docs",
  description: "This address has no page.",
  main: html`<section class="missing">
    <p class="eyebrow">404</p>
    <h1>Page not found</h1>
    <p class="lead">
      The address can contain a typo, or the page has moved. The search finds guides, calls and error codes.
    </p>
    <p class="hero-actions">
      <a class="button button-main" href="/docs">Overview</a><a class="button" href="/docs/reference">API reference</a>
    </p>
  </section>`
}

/** Answers browsers with the page for missing paths, and other clients with a problem. */
export const missingAnswer = (source: string) => {
  const page = HttpServerResponse.text(source, {
    status: 404,
    contentType: "text/html; charset=utf-8",
    headers: { ...pageHeaders, vary: "accept" }
  })
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    acceptsType(headers.accept, "text/html")
      ? Effect.succeed(page)
      : Effect.map(renderProblem(new PathNotFound()), HttpServerResponse.setHeader("vary", "accept"))
  )
}
