import { type Area, errorsPath } from "./areas.ts"
import { areaCards } from "./homePage.ts"
import { type Html, html } from "./html.ts"
import { type Page, textPath } from "./page.ts"

/** First page of the reference, with the areas. */
export const referencePage = (areas: ReadonlyArray<Area>): Page => ({
  kind: "reference",
  path: "/docs/reference",
  hasText: true,
  title: "API reference · Parley Docs",
  description: "Every endpoint of the Parley API, with requests, answers and errors.",
  main: html`<div class="reference-intro">
      <p class="eyebrow">API reference</p>
      <h1>Every endpoint</h1>
      <p class="lead">Requests, answers and errors of each call.</p>
      <p>
        Calls and answers are JSON. Ids are UUIDs, times are RFC 3339 in UTC. These guides apply to all calls:
        <a href="/docs/guides/authentication">authentication</a>,
        <a href="/docs/guides/tenancy-and-roles">the organization header</a>, <a href="/docs/guides/errors">errors</a>,
        <a href="/docs/guides/pagination">lists</a>, <a href="/docs/guides/idempotency">idempotency keys</a> and
        <a href="/docs/guides/rate-limits">rate limits</a>. The <a href="${errorsPath}">error codes</a> have a separate
        page. The same reference is available as an <a href="/openapi.json">OpenAPI 3.1 document</a>.
      </p>
    </div>
    <section aria-labelledby="areas-title">
      <h2 id="areas-title">Areas</h2>
      ${areaCards(areas)}
    </section>`
})

/** Part of a page that the browser fills from a part of the contract. */
const drawn = (path: Page["path"]): Html =>
  html`<noscript
      ><p class="notice">A script draws this page. It is also available <a href="${textPath(path)}">as Markdown</a>.</p>
    </noscript>
    <div data-reference="${path}.json">
      <div class="waiting" data-waiting><span></span><span></span><span></span></div>
    </div>`

/** Page with the operations of an area. */
export const areaPage = ({ description, name, path }: Area): Page => ({
  kind: "reference",
  path,
  hasText: true,
  title: `${name} · API reference · Parley Docs`,
  description,
  script: "reference.js",
  main: html`<div class="reference-intro">
      <p class="eyebrow">API reference</p>
      <h1>${name}</h1>
      <p class="lead">${description}</p>
    </div>
    ${drawn(path)}`
})

/** Page with all error codes. The `type` of a problem leads here. */
export const errorsPage: Page = {
  kind: "reference",
  path: errorsPath,
  hasText: true,
  title: "Error codes · API reference · Parley Docs",
  description: "Every error code of the Parley API, with its fields and its calls.",
  script: "errors.js",
  main: html`<div class="reference-intro">
      <p class="eyebrow">API reference</p>
      <h1>Error codes</h1>
      <p class="lead">
        The <code>code</code> of a problem is stable: branch on it. For the format of errors, see the
        <a href="/docs/guides/errors">guide to errors</a>.
      </p>
    </div>
    ${drawn(errorsPath)}`
}
