import type { Guide } from "./Guides.ts"
import type { Resource } from "./Resource.ts"

/** What the search of the site knows of the guides; it learns the endpoints from `/openapi.json`. */
export const searchIndex = (guides: ReadonlyArray<Guide>): Resource => ({
  path: "/docs/search.json",
  contentType: "application/json",
  body: JSON.stringify(
    guides.map(({ headings, leadText, path, text, title }) => ({
      path,
      title,
      lead: leadText,
      headings: headings.map(({ id, text }) => ({ id, text })),
      text
    }))
  )
})
