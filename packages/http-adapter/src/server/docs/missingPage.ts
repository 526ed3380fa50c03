import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PathNotFound } from "../../api/problems.ts"
import { acceptsType } from "../acceptsType.ts"
import { renderProblem } from "../renderProblem.ts"
import { html } from "./html.ts"
import type { Page } from "./page.ts"
import { pageHeaders } from "./Resource.ts"

/** The page for paths of the site at which there is none. */
export const missingPage: Page = {
  kind: "missing",
  path: "/docs/:page/*",
  title: "Page not found · Parley Docs",
  description: "There is no page at this address.",
  main: html`<section class="missing">
    <p class="eyebrow">404</p>
    <h1>There is no page here</h1>
    <p class="lead">
      The address may be mistyped, or the page has moved. The search finds guides, calls and error codes.
    </p>
    <p class="hero-actions">
      <a class="button button-main" href="/docs">Overview</a><a class="button" href="/docs/reference">API reference</a>
    </p>
  </section>`
}

/** Answers browsers with the page, and everybody else with a problem, as at any other path. */
export const missingRoute = (source: string) => {
  const page = HttpServerResponse.text(source, {
    status: 404,
    contentType: "text/html; charset=utf-8",
    headers: { ...pageHeaders, vary: "accept" }
  })
  return HttpRouter.route(
    "GET",
    missingPage.path,
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
      acceptsType(headers.accept, "text/html")
        ? Effect.succeed(page)
        : Effect.map(renderProblem(new PathNotFound()), HttpServerResponse.setHeader("vary", "accept"))
    )
  )
}
