import { Effect } from "effect"
import { assetPath } from "./page.ts"
import type { Resource } from "./Resource.ts"
import { listSiteFiles, readSiteText } from "./SiteFiles.ts"

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml"
}

const contentTypeOf = (name: string) => contentTypes[name.slice(name.lastIndexOf(".") + 1)]

/** A file that pages are made with. */
export interface Asset extends Resource {
  readonly name: string
}

/** Reads the styles, scripts and images of the site. */
export const readAssets = Effect.gen(function* () {
  const names = yield* listSiteFiles("assets")
  return yield* Effect.forEach(
    names.flatMap((name) => {
      const contentType = contentTypeOf(name)
      return contentType === undefined ? [] : [{ name, contentType }]
    }),
    ({ contentType, name }) =>
      Effect.map(readSiteText(`assets/${name}`), (body): Asset => ({ name, path: assetPath(name), contentType, body }))
  )
})

/** The scripts that a script needs, and those that they need: a browser that is told loads them all at once. */
export const importsOf = (assets: ReadonlyArray<Asset>, entries: ReadonlyArray<string>): ReadonlyArray<string> => {
  const bodies = new Map(assets.map(({ body, name }) => [name, body]))
  const found = new Set(entries)
  for (const name of found) {
    for (const [, imported = ""] of (bodies.get(name) ?? "").matchAll(/from "\.\/([\w-]+\.js)"/g)) found.add(imported)
  }
  return Array.from(found).filter((name) => !entries.includes(name))
}
