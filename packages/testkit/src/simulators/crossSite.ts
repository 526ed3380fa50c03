import { type HttpServerRequest, HttpServerResponse } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest

const reads: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

/** What browsers say of a request that the simulator's own pages, or a person with a bookmark, have made. */
const ownSites: ReadonlySet<string> = new Set(["same-origin", "none"])

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null)

/** Whether a page of another site has made the request. Programs send neither of these headers. */
export const isCrossSite = ({ headers }: Request): boolean => {
  const { host, origin, "sec-fetch-site": site } = headers
  if (site !== undefined && !ownSites.has(site)) return true
  return origin !== undefined && hostOf(origin) !== host
}

const refused = (status: number, error: string) => HttpServerResponse.jsonUnsafe({ error }, { status })

const isJson = (type = "") => /^application\/(?:[\w.+-]+\+)?json(?:;|$)/iu.test(type.trim())

/**
 * The answer to a write that a page of another site may have made, `null` for every other request. Simulators listen on the machine of a developer, whose
 * browser also opens other pages: a form there must not script them. `takesJson`: a form cannot send JSON without being asked first.
 */
export const refuseCrossSite = (request: Request, takesJson: boolean) => {
  if (reads.has(request.method)) return null
  if (isCrossSite(request)) return refused(403, "Pages of other sites cannot call the simulator.")
  const { "content-length": length, "content-type": type, "transfer-encoding": encoding } = request.headers
  const hasBody = encoding !== undefined || Number(length ?? "0") > 0
  return takesJson && hasBody && !isJson(type)
    ? refused(415, "Send JSON, with the header `content-type: application/json`.")
    : null
}
