import type { Guide } from "./Guides.ts"
import type { Resource } from "./Resource.ts"

/** What the search of the site knows of the guides; it learns the endpoints from `/openapi.json`. */
export const searchIndex = (guides: ReadonlyArray<Guide>): Resource => ({
  path: "/docs/search.json",
  contentType: "application/json",
  body: JSON.stringify(
    guides.map(({ leadText, path, sections, title }) => ({
      path,
      title,
      lead: leadText,
      sections: sections.map(({ heading, text }) => ({ id: heading?.id ?? null, title: heading?.text ?? "", text }))
    }))
  )
})
