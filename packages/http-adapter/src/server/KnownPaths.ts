import type { HttpApi, HttpApiGroup } from "effect/http-api"
import { HttpApi as Reflection } from "effect/http-api"

/** Says which methods a path knows, and what it reads. */
export interface KnownPaths {
  readonly methodsOf: (path: string) => ReadonlyArray<string>
  /** The media types of the bodies that are read there. */
  readonly typesOf: (method: string, path: string) => ReadonlyArray<string>
}

const escape = (literal: string) => literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

const matcherOf = (path: string) =>
  new RegExp(
    `^${path
      .split("/")
      .map((part) => (part === "*" ? ".*" : part.startsWith(":") ? "[^/]+" : escape(part)))
      .join("/")}/?$`
  )

/** The paths of the contract, and some besides that only know GET. */
export const knownPaths = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  pages: ReadonlyArray<string>
): KnownPaths => {
  const known: Array<{
    readonly method: string
    readonly matcher: RegExp
    readonly types: ReadonlyArray<string>
  }> = []
  Reflection.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) =>
      known.push({
        method: endpoint.method,
        matcher: matcherOf(endpoint.path),
        types: Array.from(endpoint.payload.keys())
      })
  })
  for (const page of pages) known.push({ method: "GET", matcher: matcherOf(page), types: [] })
  return {
    methodsOf: (path) => {
      const methods = new Set(known.filter(({ matcher }) => matcher.test(path)).map(({ method }) => method))
      if (methods.has("GET")) methods.add("HEAD")
      return Array.from(methods).toSorted()
    },
    typesOf: (asked, path) =>
      known.flatMap(({ matcher, method, types }) => (method === asked && matcher.test(path) ? types : []))
  }
}
