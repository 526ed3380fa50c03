import { type HttpServerRequest, HttpServerResponse } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest

const reads: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

/** Header values of requests from the simulator's own pages, or from a bookmark. */
const ownSites: ReadonlySet<string> = new Set(["same-origin", "none"])

const loopbackNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

/** The host of a page on this machine. A foreign name can resolve to this machine, too (DNS rebinding), so names count and not addresses. */
const loopbackHostOf = (origin: string) => {
  const url = URL.canParse(origin) ? new URL(origin) : null
  return url !== null && loopbackNames.has(url.hostname) ? url.host : null
}

/** Whether a page of another site sent the request. Programs send neither of these headers. */
export const isCrossSite = ({ headers }: Request): boolean => {
  const { host, origin, "sec-fetch-site": site } = headers
  if (site !== undefined && !ownSites.has(site)) return true
  return origin !== undefined && loopbackHostOf(origin) !== host
}

const refused = (status: number, error: string) => HttpServerResponse.jsonUnsafe({ error }, { status })

const isJson = (type = "") => /^application\/(?:[\w.+-]+\+)?json(?:;|$)/iu.test(type.trim())

/** A page of a foreign name that resolves to this machine reads answers as its own site: only its name shows it. */
const hasForeignHost = ({ headers }: Request): boolean =>
  headers.host !== undefined && loopbackHostOf(`http://${headers.host}`) === null

/**
 * The answer to a request that a page of another site can have sent; `null` for all other requests. Simulators listen on a developer's machine, and its
 * browser also opens other pages. Their forms must not control a simulator. `isControl`: the request uses the simulator itself and not its provider's
 * API. It must have a name of this machine, and JSON as its body, because a form cannot send JSON without a preflight request.
 */
export const refuseCrossSite = (request: Request, isControl: boolean) => {
  if (isControl && hasForeignHost(request)) return refused(403, "Expected localhost or 127.0.0.1 as the host.")
  if (reads.has(request.method)) return null
  if (isCrossSite(request)) return refused(403, "Pages of other sites cannot call the simulator.")
  const { "content-length": length, "content-type": type, "transfer-encoding": encoding } = request.headers
  const hasBody = encoding !== undefined || Number(length ?? "0") > 0
  return isControl && hasBody && !isJson(type)
    ? refused(415, "Send JSON, with the header `content-type: application/json`.")
    : null
}
