import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"

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
