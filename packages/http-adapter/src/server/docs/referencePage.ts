import { html } from "./html.ts"
import type { Page } from "./page.ts"

const waiting = html`<div class="waiting" data-waiting><span></span><span></span><span></span></div>`

/** The page that the browser fills from `/openapi.json`. */
export const referencePage: Page = {
  kind: "reference",
  path: "/docs/reference",
  title: "API reference · Parley Docs",
  description: "Every endpoint of the Parley API: what it takes, answers and refuses.",
  script: "reference.js",
  main: html`<div class="reference-intro" data-place="introduction">
      <p class="eyebrow">API reference</p>
      <h1>Every endpoint</h1>
      <p class="lead">What each call takes, what it answers, and each way in which it can be refused.</p>
      <p>
        Calls and answers are JSON. Ids are UUIDs, times are RFC 3339 in UTC. What holds everywhere is told once:
        <a href="/docs/guides/authentication">authentication</a>,
        <a href="/docs/guides/tenancy-and-roles">the organization header</a>, <a href="/docs/guides/errors">errors</a>,
        <a href="/docs/guides/pagination">lists</a>, <a href="/docs/guides/idempotency">idempotency keys</a> and
        <a href="/docs/guides/rate-limits">rate limits</a>. For your tools there is the same reference as an
        <a href="/openapi.json">OpenAPI 3.1 document</a>.
      </p>
    </div>
    <noscript
      ><p class="notice">
        This page is drawn by a script from the <a href="/openapi.json">OpenAPI document</a>, which any OpenAPI tool
        reads as well.
      </p></noscript
    >
    <div data-reference>${waiting}</div>`
}
