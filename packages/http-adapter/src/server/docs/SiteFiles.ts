import { Assets } from "@parley/domain/kernel"
import { Effect, FileSystem } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** Path in the folder `site` of the bundle or of this package. */
const at = (path: string) =>
  Effect.map(Assets, (assets) => {
    const folder =
      assets === null
        ? dirname(createRequire(import.meta.url).resolve("@parley/http-adapter/package.json"))
        : fileURLToPath(assets)
    return join(folder, "site", path)
  })

/** Reads a text of the site. A missing file is a defect, because the site is broken without it. */
export const readSiteText = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  return yield* Effect.orDie(files.readFileString(yield* at(path)))
})

/** Lists the files in a folder of the site. */
export const listSiteFiles = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  return (yield* Effect.orDie(files.readDirectory(yield* at(folder)))).toSorted()
})

/** Static resource of the site. */
export interface Resource {
  readonly path: `/${string}`
  readonly contentType: string
  /** Content security policy. Default: the policy of pages. */
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

/** Headers of all responses of the site. */
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

/** Answers with a resource, or with 304 for a matching ETag. */
const answersOf = (resource: Resource) => {
  const body = new TextEncoder().encode(resource.body)
  const etag = etagOf(body)
  const headers = { ...pageHeaders, "content-security-policy": resource.policy ?? policy, etag }
  const whole = HttpServerResponse.uint8Array(body, { contentType: resource.contentType, headers })
  const unchanged = HttpServerResponse.empty({ status: 304, headers })
  return (request: HttpServerRequest.HttpServerRequest) =>
    names(request.headers["if-none-match"], etag) ? unchanged : whole
}

type SiteRoute = HttpRouter.Route<never, HttpServerRequest.HttpServerRequest>

/** Route of a resource. */
export const routeOf = (resource: Resource): SiteRoute =>
  HttpRouter.route("GET", resource.path, Effect.map(HttpServerRequest.HttpServerRequest, answersOf(resource)))

/** Resource that the first request creates. */
export interface LaterResource extends Omit<Resource, "body"> {
  readonly body: Effect.Effect<string>
}

/** Route of a resource that the first request creates. */
export const laterRouteOf = Effect.fnUntraced(function* ({ body, ...resource }: LaterResource) {
  const answers = yield* Effect.cached(Effect.map(body, (text) => answersOf({ ...resource, body: text })))
  const route: SiteRoute = HttpRouter.route(
    "GET",
    resource.path,
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => Effect.map(answers, (answer) => answer(request)))
  )
  return route
})

/** Path of a picture of the guides. */
export const picturePath = (name: string): `/${string}` => `/docs/pictures/${name}`

/** Reads the pictures of the guides. Each is a drawing with an inline style that runs and loads nothing. */
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
