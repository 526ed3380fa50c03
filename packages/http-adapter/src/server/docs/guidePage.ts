import type { Guide } from "./Guides.ts"
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

/** The page of a guide. */
export const guidePage = (guide: Guide, guides: ReadonlyArray<Guide>): Page => {
  const place = guides.indexOf(guide)
  return {
    kind: "guide",
    path: guide.path,
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
