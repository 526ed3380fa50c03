import { Effect } from "effect"
import type { Guide } from "./Guides.ts"
import { listSiteFiles, readSiteText, type Resource } from "./SiteFiles.ts"
import { type Html, html, nothing } from "./html.ts"

/** Content of a page, and its part of the site. */
export interface Page {
  readonly kind: "home" | "guide" | "reference" | "missing"
  readonly path: `/docs${string}`
  /** Whether the page also exists as Markdown. */
  readonly hasText: boolean
  readonly title: string
  readonly description: string
  readonly main: Html
  readonly aside?: Html
  readonly script?: string
}

/** Path of a site file. */
const assetPath = (name: string): `/${string}` => `/docs/assets/${name}`

const styles = ["theme.css", "layout.css", "prose.css", "reference.css", "print.css"]

/** Entry scripts of a page, and the scripts that they import. */
export interface Scripts {
  readonly entries: ReadonlyArray<string>
  readonly imports: ReadonlyArray<string>
}

/** Part of the head that all pages share. */
export const head = (title: string, description: string, scripts: Scripts, more: Html = nothing): Html =>
  html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <meta name="description" content="${description}" />
    ${more}
    <link rel="icon" href="${assetPath("icon.svg")}" type="image/svg+xml" />
    ${styles.map((name) => html`<link rel="stylesheet" href="${assetPath(name)}" /> `)}
    <script src="${assetPath("boot.js")}"></script>
    ${scripts.imports.map((name) => html`<link rel="modulepreload" href="${assetPath(name)}" /> `)}
    ${scripts.entries.map((name) => html`<script type="module" src="${assetPath(name)}"></script> `)}
  </head>`

const mark = html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path d="M4 3h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-7l-5.2 4.6A.5.5 0 0 1 7 20.2V16H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2Z" />
    <path class="brand-mark" d="M7.5 8h9M7.5 11.5h5.5" /></svg
  ><span>Parley</span>`

export const brand = html`<span class="brand">${mark}</span>`

const home = html`<a class="brand" href="/docs">${mark}<span class="brand-part">Docs</span></a>`

/** Button that toggles the light and dark theme. */
export const themeButton = html`<button
  type="button"
  class="icon-button"
  data-theme-button
  aria-label="Colours: as the system"
>
  <span class="icon icon-theme" aria-hidden="true"></span>
</button>`

const header = html`<header class="top">
  <button
    type="button"
    class="icon-button nav-button"
    aria-controls="sidebar"
    aria-expanded="false"
    aria-label="Menu"
    data-nav-button
  >
    <span class="icon icon-menu" aria-hidden="true"></span>
  </button>
  ${home}
  <button type="button" class="search-button" data-search-button aria-haspopup="dialog">
    <span class="icon icon-search" aria-hidden="true"></span><span class="search-label">Search the docs</span
    ><kbd aria-hidden="true">/</kbd>
  </button>
  <div class="top-end">
    ${themeButton}
    <div class="account" data-account><a class="sign-in" href="/docs#sign-in">Sign in</a></div>
  </div>
</header>`

const navLink = (path: string, current: string, label: string) =>
  path === current
    ? html`<li><a href="${path}" aria-current="page">${label}</a></li>`
    : html`<li><a href="${path}">${label}</a></li>`

const sidebar = (guides: ReadonlyArray<Guide>, current: string) =>
  html`<div class="sidebar" id="sidebar" data-sidebar>
    <nav aria-label="Documentation">
      <ul class="nav-list">
        ${navLink("/docs", current, "Overview")}
      </ul>
      <p class="nav-title" id="nav-guides">Guides</p>
      <ul class="nav-list" aria-labelledby="nav-guides">
        ${guides.map((guide) => navLink(guide.path, current, guide.title))}
      </ul>
      <p class="nav-title" id="nav-reference">API reference</p>
      <ul class="nav-list" aria-labelledby="nav-reference" data-nav-reference>
        ${navLink("/docs/reference", current, "Introduction")}
      </ul>
    </nav>
  </div>`

const search = html`<dialog class="search" data-search aria-label="Search the docs">
  <form method="dialog" class="search-box">
    <span class="icon icon-search" aria-hidden="true"></span
    ><input
      type="text"
      inputmode="search"
      role="combobox"
      aria-expanded="true"
      aria-controls="search-results"
      aria-autocomplete="list"
      aria-label="Search guides and endpoints"
      placeholder="Guides, endpoints, error codes"
      autocomplete="off"
      spellcheck="false"
      data-search-input
    /><button class="icon-button" aria-label="Close"><kbd aria-hidden="true">esc</kbd></button>
  </form>
  <ul id="search-results" role="listbox" aria-label="Results" data-search-results></ul>
  <p class="search-none" data-search-none hidden>Nothing found.</p>
</dialog>`

/** Path of a page as Markdown. */
export const textPath = (path: Page["path"]): `/docs${string}` => `${path}.md`

const alternate = ({ hasText, path }: Page) =>
  hasText ? html`<link rel="alternate" type="text/markdown" href="${textPath(path)}" />` : nothing

/** Entry scripts of a page. */
export const entriesOf = (page: Page): ReadonlyArray<string> =>
  page.script === undefined ? ["app.js"] : ["app.js", page.script]

export const renderPage = (page: Page, guides: ReadonlyArray<Guide>, scripts: Scripts): string =>
  html`<!doctype html>
    <html lang="en">
      ${head(page.title, page.description, scripts, alternate(page))}
      <body data-page="${page.kind}">
        <a class="skip" href="#content">Skip to the content</a>
        ${header}
        <div class="frame">
          ${sidebar(guides, page.path)}
          <main id="content" tabindex="-1">
            <div class="notice" role="status" data-notice hidden></div>
            ${page.main}
          </main>
          ${page.aside ?? nothing}
        </div>
        <footer class="foot">
          <p>Parley API v1</p>
          <p><a href="/openapi.json">OpenAPI document</a></p>
        </footer>
        ${search}
      </body>
    </html> `.source

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml"
}

const contentTypeOf = (name: string) => contentTypes[name.slice(name.lastIndexOf(".") + 1)]

/** File that pages load. */
export interface Asset extends Resource {
  readonly name: string
}

/** Reads the styles, scripts and images of the site. */
export const readAssets = Effect.gen(function* () {
  const names = yield* listSiteFiles("assets")
  return yield* Effect.forEach(
    names.flatMap((name) => {
      const contentType = contentTypeOf(name)
      return contentType === undefined ? [] : [{ name, contentType }]
    }),
    ({ contentType, name }) =>
      Effect.map(readSiteText(`assets/${name}`), (body): Asset => ({ name, path: assetPath(name), contentType, body }))
  )
})

/** Transitive imports of the entry scripts, so that a browser preloads all of them together. */
export const importsOf = (assets: ReadonlyArray<Asset>, entries: ReadonlyArray<string>): ReadonlyArray<string> => {
  const bodies = new Map(assets.map(({ body, name }) => [name, body]))
  const found = new Set(entries)
  for (const name of found) {
    for (const [, imported = ""] of (bodies.get(name) ?? "").matchAll(/from "\.\/([\w-]+\.js)"/g)) found.add(imported)
  }
  return Array.from(found).filter((name) => !entries.includes(name))
}
