import { Effect, FileSystem } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"

/** The folder `site` of this package: as far from `src/server/docs` as from `dist/server/docs`. */
const root = new URL("../../../site/", import.meta.url)

const at = (path: string) => fileURLToPath(new URL(path, root))

/** Reads a text of the site. A site without its files is broken, so a missing one is a defect. */
export const readSiteText = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  return yield* Effect.orDie(files.readFileString(at(path)))
})

/** The names of the files in a folder of the site. */
export const listSiteFiles = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  return (yield* Effect.orDie(files.readDirectory(at(folder)))).toSorted()
})

/** Something that the site serves as it is. */
export interface Resource {
  readonly path: `/${string}`
  readonly contentType: string
  /** What it may load and run; what pages may, if nothing is said. */
  readonly policy?: string
  readonly body: string
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

/** What everything on the site is sent with. */
export const pageHeaders = {
  "cache-control": "no-cache",
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
} as const

const etagOf = (body: Uint8Array) => `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`

const names = (header: string | undefined, etag: string) =>
  header !== undefined && header.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()))

/** The route of a resource. Who has it already is told so by its ETag. */
export const routeOf = (resource: Resource): HttpRouter.Route<never, HttpServerRequest.HttpServerRequest> => {
  const body = new TextEncoder().encode(resource.body)
  const etag = etagOf(body)
  const headers = { ...pageHeaders, "content-security-policy": resource.policy ?? policy, etag }
  const whole = HttpServerResponse.uint8Array(body, { contentType: resource.contentType, headers })
  const unchanged = HttpServerResponse.empty({ status: 304, headers })
  return HttpRouter.route(
    "GET",
    resource.path,
    Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
      names(request.headers["if-none-match"], etag) ? unchanged : whole
    )
  )
}

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
