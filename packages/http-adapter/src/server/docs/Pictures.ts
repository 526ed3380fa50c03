import { Effect } from "effect"
import type { Resource } from "./Resource.ts"
import { listSiteFiles, readSiteText } from "./SiteFiles.ts"

/** Where the pictures of the guides are served. */
export const picturePath = (name: string): `/${string}` => `/docs/pictures/${name}`

/** Reads the pictures that guides show. Each is one drawing, coloured by a style of its own, and runs and loads nothing. */
export const readPictures = Effect.gen(function* () {
  const names = yield* listSiteFiles("pictures")
  return yield* Effect.forEach(names, (name) =>
    Effect.map(readSiteText(`pictures/${name}`), (body): Resource => ({
      path: picturePath(name),
      contentType: "image/svg+xml",
      policy: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      body
    }))
  )
})
