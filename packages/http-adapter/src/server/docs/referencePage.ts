import { html } from "./html.ts"
import type { Page } from "./page.ts"

const waiting = html`<div class="waiting" data-waiting><span></span><span></span><span></span></div>`

/** The page that the browser fills from `/openapi.json`. */
export const referencePage: Page = {
  kind: "reference",
  path: "/docs/reference",
  title: "API reference · Parley Docs",
  description: "Every endpoint of the Parley API: what it takes, answers and refuses.",
  scripts: ["reference.js"],
  main: html`<p class="eyebrow">API reference</p>
    <h1>Every endpoint</h1>
    <p class="lead">What each call takes, what it answers, and each way in which it can be refused.</p>
    <noscript
      ><p class="notice">
        This page is drawn by a script from the <a href="/openapi.json">OpenAPI document</a>, which any OpenAPI tool
        reads as well.
      </p></noscript
    >
    <div data-reference>${waiting}</div>`
}
